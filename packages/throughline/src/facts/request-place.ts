// Apart from the other labels: only a compaction loads these.

/** What the line above a request says where only its beginning is quoted, and where it is clipped below. */
export const beginsHere = ', its beginning (the whole is below)'
export const clippedBelow = ', clipped below'

/** The same as a pattern, and as earlier versions said it. */
export const requestPlace = String.raw`, (?:its beginning \(the whole is below\)|(?:in full|clipped) below)`
