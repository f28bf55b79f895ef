import { countOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { takeOffWrapped } from '../conversation/wrapped.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** Elements that pi makes from what the human named: files, and skills with their text. */
const wrappers: readonly string[] = ['file', 'skill']

/** A user's message, or one of an extension, as the model saw it. */
export function contentParts(content: unknown, origin: 'human' | 'harness'): OriginPart[] {
  if (typeof content === 'string') return textParts(content, origin)
  return objectsOf(content).flatMap((block) => {
    if (block['type'] === 'text') return textParts(textOf(block['text']) ?? '', origin)
    return imageParts(block, origin)
  })
}

function imageParts(block: Fields, origin: 'human' | 'harness'): OriginPart[] {
  const image = nameOf(block['data'])
  const mediaType = nameOf(block['mimeType'])
  if (block['type'] !== 'image' || !image) return []
  return [{ origin, part: { type: 'image', image, ...(mediaType && { mediaType }) } }]
}

function textParts(text: string, origin: 'human' | 'harness'): OriginPart[] {
  if (text === '') return []
  if (origin === 'harness') return [{ origin, part: { type: 'text', text } }]
  return takeOffWrapped(text, wrappers).map((stretch) => ({
    origin: stretch.wrapped ? 'harness' : 'human',
    part: { type: 'text', text: stretch.text },
  }))
}

/**
 * A command that the human ran outside the conversation, in the words that pi gives to the model.
 */
export function bashText(message: Fields): string {
  const output = textOf(message['output']) ?? ''
  const printed = output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``
  const exitCode = countOf(message['exitCode'])
  const cancelled = message['cancelled'] === true
  const path = message['truncated'] === true ? nameOf(message['fullOutputPath']) : undefined
  return [
    `Ran \`${textOf(message['command']) ?? ''}\`\n${printed}`,
    ...(cancelled ? ['(command cancelled)'] : []),
    ...(!cancelled && exitCode ? [`Command exited with code ${exitCode}`] : []),
    ...(path ? [`[Output truncated. Full output: ${path}]`] : []),
  ].join('\n\n')
}

/** The summary of a branch that the human left, in the words that pi gives to the model. */
export function branchText(summary: string): string {
  return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`
}
