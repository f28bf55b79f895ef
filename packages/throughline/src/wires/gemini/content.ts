import { notesUnder } from '../note.ts'

/** A content of `generateContent`, as far as Throughline reads it: the SDK's `Content`. */
export interface GeminiContent {
  role?: string
  parts?: readonly object[]
}

/** What Gemini's API says beyond our own shape. */
export const notes = notesUnder('gemini')
