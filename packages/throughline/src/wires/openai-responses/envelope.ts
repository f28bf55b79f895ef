import { countOf, fieldsOf, textOf, type Fields } from '../../json/fields.ts'

/** An output in the envelope that some tools put it in, and the words of JSON around it. */
export interface Envelope {
  output: string
  failed: boolean
  before: string
  behind: string
}

/** `{"output": …, "metadata": {"exit_code": …}}` as the output in it and whether it failed. */
export function opened(text: string): Envelope | undefined {
  const before = starts.find((start) => text.startsWith(start))
  if (before === undefined) return undefined
  const envelope = parsed(text)
  const output = textOf(envelope?.['output'])
  const metadata = fieldsOf(envelope?.['metadata'])
  if (output === undefined || !metadata) return undefined
  const end = before.length + JSON.stringify(output).length
  // What we could not close again as it was stays closed.
  if (text.slice(before.length, end) !== JSON.stringify(output)) return undefined
  const exitCode = countOf(metadata['exit_code'])
  const failed = exitCode !== undefined && exitCode !== 0
  return { output, failed, before, behind: text.slice(end) }
}

const starts = ['{"output": "', '{"output":"'].map((start) => start.slice(0, -1))

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}
