export const words = {
  "frame.title": "specdemo: spekulativ dekodning, skilt ad",
  "frame.language": "Sprog",
  "frame.more": "Flere sider",
  "frame.step": "Trin",
  "frame.compare": "Sammenlign",
  "frame.lab": "Lab",
  "frame.sandbox": "Sandkasse",
  "frame.audit": "Audit",
  "frame.learn": "Lær",
  "frame.not_loaded": "Siden kunne ikke hentes helt. Genindlæs den; hjælper det ikke, kan serveren være blevet opdateret.",
};
