import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { commandOutput } from './command-output.ts'
import { imageOutputs } from './images.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** What an observation gave the model, and what rules the touched file brought with it. */
export function sdkOutput(event: Fields): ToolOutput {
  const observation = fieldsOf(event['observation']) ?? {}
  const parts = framed(observation, contentOf(observation))
  for (const block of objectsOf(event['extended_content'])) {
    const text = nameOf(block['text'])
    if (text) parts.push({ type: 'text', text })
  }
  const failed = observation['is_error'] === true
  if (parts.every(({ type }) => type === 'text')) {
    const value = parts.map(({ text }) => text ?? '').join('\n')
    return { type: failed ? 'error-text' : 'text', value }
  }
  return {
    type: 'content',
    value: parts,
    ...(failed && { providerOptions: { openhands: { isError: true } } }),
  }
}

/** A list of blocks; the first versions had one text. */
function contentOf(observation: Fields): ToolOutputPart[] {
  const { content } = observation
  const text = textOf(content) ?? textOf(observation['output']) ?? textOf(observation['error'])
  if (text !== undefined) return [{ type: 'text', text }]
  return objectsOf(content).flatMap((block): ToolOutputPart[] => {
    if (block['type'] === 'image') return imageOutputs(block['image_urls'])
    const said = textOf(block['text'])
    return said === undefined || said === '' ? [] : [{ type: 'text', text: said }]
  })
}

/** The lines around the output of a command. */
function framed(observation: Fields, parts: ToolOutputPart[]): ToolOutputPart[] {
  const metadata = fieldsOf(observation['metadata'])
  if (!metadata) return parts
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : []))
  const media = parts.filter((part) => part.type !== 'text')
  return [{ type: 'text', text: commandOutput(texts.join(''), metadata) }, ...media]
}
