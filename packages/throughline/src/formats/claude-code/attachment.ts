import { fieldsOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { textParts } from './origin.ts'
import { userContent } from './user-parts.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** What an `attachment` record gave the model to read; nothing for those that only inform. */
export function attachmentParts(record: Fields): OriginPart[] {
  const attachment = fieldsOf(record['attachment'])
  switch (attachment?.['type']) {
    case 'queued_command':
      return queuedCommand(attachment)
    case 'file':
      return file(attachment)
    case 'directory':
      return contents(attachment['path'], attachment['content'])
    case 'nested_memory':
      return contents(attachment['path'], fieldsOf(attachment['content'])?.['content'])
    case 'edited_text_file':
      return editedFile(attachment)
    case 'hook_additional_context':
      return harnessText(joined(attachment['content']))
    default:
      return []
  }
}

/** The words of a queued command, if that is what the record holds. */
export function queuedText(record: Fields): string | undefined {
  const attachment = fieldsOf(record['attachment'])
  return attachment?.['type'] === 'queued_command' ? textOf(attachment['prompt']) : undefined
}

function queuedCommand(attachment: Fields): OriginPart[] {
  const kind = fieldsOf(attachment['origin'])?.['kind']
  const typed = kind === 'human' || (kind === undefined && attachment['commandMode'] === 'prompt')
  return userContent(attachment['prompt'], !typed).parts
}

function file(attachment: Fields): OriginPart[] {
  const content = fieldsOf(attachment['content'])
  const inner = fieldsOf(content?.['file'])
  const path = inner?.['filePath'] ?? attachment['filename']
  const image = nameOf(inner?.['base64'])
  if (content?.['type'] !== 'image' || !image) return contents(path, inner?.['content'])
  const mediaType = nameOf(inner?.['type'])
  const part = { type: 'image' as const, image, ...(mediaType && { mediaType }) }
  return [...harnessText(`Contents of ${nameOf(path) ?? 'an image'}:`), { origin: 'harness', part }]
}

function editedFile(attachment: Fields): OriginPart[] {
  const snippet = textOf(attachment['snippet'])
  if (snippet === undefined) return []
  const filename = nameOf(attachment['filename']) ?? 'a file'
  return harnessText(`${filename} was changed outside the conversation:\n${snippet}`)
}

function contents(path: unknown, content: unknown): OriginPart[] {
  const text = textOf(content)
  return text === undefined ? [] : harnessText(`Contents of ${nameOf(path) ?? 'a file'}:\n${text}`)
}

function harnessText(text: string): OriginPart[] {
  return textParts(text, true)
}

function joined(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .flatMap((item) => textOf(item) ?? [])
    .join('\n')
}
