import { notesUnder } from '../shapes/note.ts'

/** What the Messages API says beyond our own shape. */
export const notes = notesUnder('anthropic-sdk')
