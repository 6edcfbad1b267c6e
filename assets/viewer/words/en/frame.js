/** What stands around the pages: their names, the choice of a language, the document's title, and what is said where a page does not come. */

export const words = {
  "frame.title": "specdemo: speculative decoding, taken apart",
  "frame.language": "Language",
  "frame.more": "More pages",
  "frame.step": "Step",
  "frame.compare": "Compare",
  "frame.lab": "Lab",
  "frame.sandbox": "Sandbox",
  "frame.audit": "Audit",
  "frame.learn": "Learn",
  "frame.not_loaded": "The page could not be loaded completely. Reload it; if that does not help, the server may have been updated.",
  "frame.offline": "There is no network. The page is fetched as soon as it is back.",
  "frame.language_offline": "There is no network. Choose the language again when it is back.",
  "frame.language_unanswered": "The server does not answer. Choose the language again in a moment.",
};
