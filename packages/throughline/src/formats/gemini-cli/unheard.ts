/** What stands before words that Gemini CLI would take for none of the user's. */
export const wordsBefore = '[Message:]'

const starts: readonly string[] = ['/', '?', '<session_context>', '<hook_context>']

/** Whether Gemini CLI keeps a message that says this from the model. */
export function unheard(text: string): boolean {
  const words = text.trimStart()
  return words === '' || starts.some((start) => words.startsWith(start))
}
