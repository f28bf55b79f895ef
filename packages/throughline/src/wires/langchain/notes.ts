import { notesUnder } from '../note.ts'

/** What LangChain says beyond our own shape. */
export const notes = notesUnder('langchain')
