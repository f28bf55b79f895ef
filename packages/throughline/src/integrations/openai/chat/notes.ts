import { notesUnder } from '../../shapes/note.ts'

/** What Chat Completions says beyond our own shape. */
export const notes = notesUnder('openai-chat')
