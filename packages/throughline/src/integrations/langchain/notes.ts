import { notesUnder } from '../shapes/note.ts'

/** What LangChain says beyond our own shape. */
export const notes = notesUnder('langchain')
