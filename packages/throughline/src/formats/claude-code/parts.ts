import {
  boundedValue,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import {
  blocksIn,
  by,
  call,
  media,
  outputMedia,
  outputOfBlocks,
  outputText,
  reasoning,
  rowFor,
  sealed,
  text,
  textOutput,
  understood,
  unknownBlock,
  type Rows,
} from '../conversation/parts.ts'
import { refusalWords, textParts, wholeParts } from './origin.ts'
import { madeParts, saidInParts, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** The blocks of an assistant record as parts. */
export function replyParts(content: unknown): AssistantPart[] {
  if (typeof content === 'string') return text(content)
  return objectsOf(content).flatMap((block) => {
    const row = rowFor(replyBlocks, block['type'])
    if (row) return row(block)
    return typeof block['tool_use_id'] === 'string' ? serverResult(block) : unknownPart(block)
  })
}

const replyBlocks: Rows<Fields, AssistantPart[]> = {
  text: (block) => text(block['text']),
  thinking: ({ thinking, signature }) => reasoning(thinking, sealed('anthropic', { signature })),
  redacted_thinking: ({ data }) => reasoning('', sealed('anthropic', { redactedData: data })),
  tool_use: ({ id, name, input }) => call(id, name, input),
  server_tool_use: ({ id, name, input }) => call(id, name, input, { providerExecuted: true }),
  mcp_tool_use: ({ id, name, input }) => call(id, name, input, { providerExecuted: true }),
}

/** The result of a tool that the provider ran is in the reply itself. */
function serverResult(block: Fields): AssistantPart[] {
  const toolCallId = nameOf(block['tool_use_id'])
  if (!toolCallId) return []
  const toolName = (nameOf(block['type']) ?? 'server').replace('_tool_result', '')
  const output: ToolOutput = { type: 'json', value: boundedValue(block['content'] ?? null) }
  return [{ type: 'tool-result', toolCallId, toolName, output }]
}

function unknownPart(block: Fields): AssistantPart[] {
  const type = nameOf(block['type'])
  if (!type) return []
  const anthropic = { block: boundedValue(block) }
  return [{ type: 'custom', kind: `anthropic.${type}`, providerOptions: { anthropic } }]
}

/** What a `tool_result` block gave the model. */
export function toolOutput({ content, is_error }: Fields): ToolOutput {
  const failed = is_error === true
  if (typeof content === 'string') return textOutput(content, failed)
  const pieces = objectsOf(content).flatMap(
    (block) => rowFor(outputBlocks, block['type'])?.(block) ?? unknownBlock(block).map(textIn),
  )
  return outputOfBlocks(pieces, failed, { anthropic: { isError: true } })
}

const outputBlocks: Rows<Fields, ToolOutputPart[]> = {
  text: (block) => outputText(block['text']),
  image: (block) => mediaOutput(block, 'image'),
  document: (block) => mediaOutput(block, 'application/pdf'),
  tool_reference({ tool_name }) {
    const anthropic = { type: 'tool-reference', toolName: tool_name }
    return nameOf(tool_name) ? [{ type: 'custom', providerOptions: { anthropic } }] : []
  },
}

function textIn({ part }: OriginPart): ToolOutputPart {
  return { type: 'text', text: part.type === 'text' ? part.text : '' }
}

function mediaOutput({ source }: Fields, usual: string): ToolOutputPart[] {
  const { type, data, url, media_type: mediaType = usual } = fieldsOf(source) ?? {}
  return type === 'text' ? outputText(data) : outputMedia({ from: url ?? data, mediaType })
}

/** A user record's content: the results of tools, and everything else next to them. */
export interface UserContent {
  results: Fields[]
  parts: OriginPart[]
}

export function userContent(
  content: unknown,
  harness: boolean,
  tools: ReadonlyMap<string, string>,
): UserContent {
  if (typeof content === 'string') return { results: [], parts: textParts(content, harness) }
  const results: Fields[] = []
  const parts = blocksIn(content).flatMap((block): OriginPart[] => {
    if (block['type'] !== 'tool_result') return blockParts(block, harness)
    results.push(block)
    const toolName = tools.get(nameOf(block['tool_use_id']) ?? '') ?? 'unknown'
    return by('human', text(refusalWords({ toolName, output: toolOutput(block) })))
  })
  return { results, parts: harness ? parts : saidInParts(parts) }
}

function blockParts(block: Fields, harness: boolean): OriginPart[] {
  const { type, title: filename } = block
  if (type === 'text') return understood(block, wholeParts(textOf(block['text']) ?? '', harness))
  if (type !== 'image' && type !== 'document') return unknownBlock(block)
  const { data, url, ...source } = fieldsOf(block['source']) ?? {}
  const usual = type === 'image' ? 'image' : 'application/pdf'
  const from = nameOf(data) ?? url
  const mediaType = source['media_type'] ?? usual
  // The text of a file, whoever attached it.
  if (type === 'document' && source['type'] === 'text') return madeParts(textOf(from) ?? '')
  return by(harness ? 'harness' : 'human', media({ from, mediaType, filename }))
}

/** What an `attachment` record gave the model to read; nothing for records that only inform. */
export function attachmentParts(record: Fields): OriginPart[] {
  const attachment = fieldsOf(record['attachment'])
  return attachment ? (rowFor(attachments, attachment['type'])?.(attachment) ?? []) : []
}

/** Whether a record attaches something of a kind that the model is not given. */
export function isForClient(record: Fields): boolean {
  const { type, prompt } = fieldsOf(record['attachment']) ?? {}
  return nameOf(type) !== undefined && prompt === undefined && !rowFor(attachments, type)
}

const attachments: Rows<Fields, OriginPart[]> = {
  queued_command({ origin, commandMode, prompt }) {
    const kind = fieldsOf(origin)?.['kind']
    const typed = kind === 'human' || (kind === undefined && commandMode === 'prompt')
    return userContent(prompt, !typed, new Map()).parts
  },
  file,
  directory: ({ path, content }) => contents(path, content),
  nested_memory: ({ path, content }) => contents(path, fieldsOf(content)?.['content']),
  edited_text_file({ snippet, filename }) {
    if (typeof snippet !== 'string') return []
    const name = nameOf(filename) ?? 'a file'
    return madeText(`${name} was changed outside the conversation:\n${snippet}`)
  },
  hook_additional_context: ({ content }) =>
    madeText(
      textOf(content) ??
        listOf(content)
          .flatMap((item) => textOf(item) ?? [])
          .join('\n'),
    ),
}

function file(attachment: Fields): OriginPart[] {
  const content = fieldsOf(attachment['content'])
  const inner = fieldsOf(content?.['file']) ?? {}
  const path = inner['filePath'] ?? attachment['filename']
  const images =
    content?.['type'] === 'image' ? media({ from: inner['base64'], mediaType: inner['type'] }) : []
  if (images.length === 0) return contents(path, inner['content'])
  return [...madeText(`Contents of ${nameOf(path) ?? 'an image'}:`), ...by('harness', images)]
}

function contents(path: unknown, content: unknown): OriginPart[] {
  if (typeof content !== 'string') return []
  return madeText(`Contents of ${nameOf(path) ?? 'a file'}:\n${content}`)
}

function madeText(said: string): OriginPart[] {
  return textParts(said, true)
}

/** The words of a queued command, if that is what the record holds. */
export function queuedText(record: Fields): string | undefined {
  const attachment = fieldsOf(record['attachment'])
  return attachment?.['type'] === 'queued_command' ? textOf(attachment['prompt']) : undefined
}
