/** The tour on the other pages: the panel (guide) and the line for who is new (invite). */

export const words = {
  "guide.title": "The tour, chapter {number}: {title}",
  "guide.back": "Back to the chapter",
  "guide.previous": "Previous",
  "guide.next": "Next",
  "guide.close": "End the tour here",
  "guide.fold": "Fold up",
  "guide.unfold": "Unfold",
  "guide.show": "Show it again",
  "guide.done": "Done. ",
  "invite.new": "New here?",
  "invite.take": "Take the tour",
  "invite.resume": "Go on with the tour: {title}",
  "invite.dismiss": "Do not offer the tour again",
};
