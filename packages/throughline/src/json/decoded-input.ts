/** The arguments of a call: JSON in a text. Text that can't be parsed stays as it is. */
export function decodedInput(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {}
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
