/** A section of a summary: its heading and what belongs under it. */
export interface Section {
  heading: string
  /** What the summariser is told to put there. */
  guide: string
}

/** The form of a summary. */
export interface Template {
  sections: readonly Section[]
}
