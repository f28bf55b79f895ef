import {
  addResult,
  answerStep,
  giveEntries,
  giveStep,
  givingHeld,
  growStep,
  newConversation,
  newStep,
  type Conversation,
  type Step,
} from '../conversation/conversation.ts'
import {
  nameOf,
  textOf,
  type Fields,
  boundedValue,
  countOf,
  decodedInput,
  fieldsOf,
  listOf,
  objectsOf,
} from '../../json/fields.ts'
import {
  userMessages,
  madeParts,
  saidInParts,
  type OriginPart,
} from '../conversation/user-messages.ts'
import type { MessageDraft, Usage } from '../../log/entry.ts'
import {
  blocksIn,
  by,
  call,
  media,
  outputMedia,
  outputOfBlocks,
  outputText,
  reasoningItem,
  rowFor,
  sealed,
  text,
  textOutput,
  unknownBlock,
  unknownText,
} from '../conversation/parts.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'

/**
 * Turns response items into messages. Items of the next response that come before the previous
 * one's calls are answered are held back, so that results follow their step.
 */
export interface Transcript {
  conversation: Conversation
  model: string | undefined
  /** One response of the model; sealed when it is whole, so that the next item starts another one. */
  step: (Step & { sealed: boolean }) | undefined
  held: Held[]
  /** Calls that are in `held`. */
  heldCalls: Set<string>
  /** How many calls so far have no id of their own. */
  serial: number
}

type Held = { item: Fields; at: number } | { usage: Usage | undefined }

const mostHeld = 256

export function newTranscript(
  give: (draft: MessageDraft) => void,
  tools: ReadonlyMap<string, string> = new Map(),
): Transcript {
  const conversation = newConversation((draft) => give(draft as MessageDraft))
  return {
    conversation: { ...conversation, tools: new Map(tools) },
    model: undefined,
    step: undefined,
    held: [],
    heldCalls: new Set(),
    serial: 0,
  }
}

const unseen: ReadonlySet<string> = new Set(['ghost_snapshot', 'ghost_commit', 'other'])

/** `waits`: whether an item may be held back. */
export function readItem(transcript: Transcript, item: Fields, at: number, waits = true): void {
  const type = nameOf(item['type'])
  if (type && unseen.has(type)) transcript.conversation.heard++
  if (!type || unseen.has(type)) return
  if (type.endsWith('_output')) return readOutput(transcript, item, at)
  if (type === 'message' && item['role'] !== 'assistant')
    return readUser(transcript, item, at, waits)
  const { step, held } = transcript
  const next = step !== undefined && (step.sealed || step.results.length > 0)
  if (waits && (held.length > 0 || (next && step.open.size > 0))) return hold(transcript, item, at)
  if (next) closeStep(transcript)
  const parts = itemParts(item, transcript.serial + 1)
  if (parts.length === 0) return
  const { model, conversation } = transcript
  const grown = (transcript.step ??= { ...newStep(undefined, at), model, sealed: false })
  growStep(conversation, grown, parts)
  transcript.serial += parts.filter(
    (part) => part.type === 'tool-call' && part.providerExecuted,
  ).length
  if (item['phase'] === 'final_answer') grown.sealed = true
}

/** The usage of a response comes when the response is whole. */
export function readUsage(transcript: Transcript, usage: Usage | undefined): void {
  const { step, held } = transcript
  if (held.length > 0) return void held.push({ usage })
  if (!step) return
  step.usage ??= usage
  step.sealed = true
}

/** A message item that isn't the model's: by the human, by the harness, or by both. */
function readUser(transcript: Transcript, item: Fields, at: number, waits: boolean): void {
  const { step, held } = transcript
  const role = textOf(item['role'])
  const harness = role !== 'user'
  const source = harness && role !== undefined ? { source: { role } } : undefined
  const drafts = userMessages(userParts(item['content'], harness), at, source)
  if (step && drafts.some(isInterruption)) step.interrupted = true
  const open = waits && (held.length > 0 || (step !== undefined && step.open.size > 0))
  if (open && drafts.every(({ origin }) => origin === 'harness')) return hold(transcript, item, at)
  if (open) letGo(transcript, false)
  closeStep(transcript)
  giveEntries(transcript.conversation, drafts)
}

function isInterruption({ message: { content } }: MessageDraft): boolean {
  return typeof content === 'string' && content.trimStart().startsWith('<turn_aborted>')
}

function readOutput(transcript: Transcript, item: Fields, at: number): void {
  const toolCallId = nameOf(item['call_id'])
  if (!toolCallId) return
  // The model continued with its next response: open calls in the last one stay open.
  if (transcript.heldCalls.has(toolCallId)) letGo(transcript, false)
  const { step, conversation } = transcript
  const result = { at, toolCallId, output: toolOutput(item) }
  if (!answerStep(conversation, step, result)) return addResult(conversation, result)
  if (step?.open.size === 0 && transcript.held.length > 0) letGo(transcript, true)
}

function hold(transcript: Transcript, item: Fields, at: number): void {
  transcript.held.push({ item, at })
  transcript.conversation.heard++
  const call = nameOf(item['call_id'])
  if (call) transcript.heldCalls.add(call)
  if (transcript.held.length >= mostHeld) letGo(transcript, false)
}

/** Gives the step, and what was held back for it: its calls are answered, or will never be. */
function letGo(transcript: Transcript, answered: boolean): void {
  const { held } = transcript
  transcript.held = []
  transcript.heldCalls.clear()
  closeStep(transcript)
  givingHeld(transcript.conversation, () => {
    for (const one of held) {
      if ('item' in one) readItem(transcript, one.item, one.at, answered)
      else readUsage(transcript, one.usage)
    }
  })
}

/** Adds everything held back and the last step, which gets nothing more. */
export function finish(transcript: Transcript): void {
  letGo(transcript, false)
  closeStep(transcript)
}

function closeStep(transcript: Transcript): void {
  const { step, conversation } = transcript
  transcript.step = undefined
  if (step) giveStep(conversation, step)
}

/** An item of the model's response as parts of its message. `serial` names calls without an id. */
function itemParts(item: Fields, serial: number): AssistantPart[] {
  return (rowFor(items, item['type']) ?? unknownItem)(item, serial)
}

const items: Readonly<Record<string, (item: Fields, serial: number) => AssistantPart[]>> = {
  message: ({ content, phase }) =>
    objectsOf(content).flatMap((block) => {
      const said = text(nameOf(block['text']) ?? block['refusal'])
      const shown = said.length > 0 ? said : unknownText(block)
      return shown.map((part) => ({ ...part, ...sealed('openai', { phase }) }))
    }),
  reasoning(item) {
    const blocks = objectsOf([...listOf(item['summary']), ...listOf(item['content'])])
    const texts = blocks.flatMap((block) => nameOf(block['text']) ?? [])
    // What can neither be read nor sent again is left out.
    return texts.length > 0 || nameOf(item['encrypted_content']) ? reasoningItem(texts, item) : []
  },
  function_call: (item) => callItem(item, item['name'], decodedInput(item['arguments'])),
  custom_tool_call: (item) => callItem(item, item['name'], textOf(item['input']) ?? ''),
  local_shell_call: (item) => callItem(item, 'local_shell', item['action']),
  tool_search_call: (item) => callItem(item, 'tool_search', decodedInput(item['arguments'])),
  web_search_call: webSearch,
}

function callItem(item: Fields, name: unknown, input: unknown): AssistantPart[] {
  const { type, namespace } = item
  const codex = { item: type, ...(nameOf(namespace) && { namespace }) }
  const plain = type === 'function_call' && !namespace
  const options = plain ? {} : { providerOptions: { codex } }
  return call(nameOf(item['call_id']) ?? item['id'], name, input, options)
}

/** The provider ran the search itself; its results were never recorded. */
function webSearch(item: Fields, serial: number): AssistantPart[] {
  const toolCallId = nameOf(item['call_id']) ?? nameOf(item['id']) ?? `web_search_${serial}`
  const toolName = 'web_search'
  return [
    ...call(toolCallId, toolName, item['action'], {
      providerExecuted: true,
      providerOptions: { codex: { item: 'web_search_call' } },
    }),
    { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: '' } },
  ]
}

function unknownItem(item: Fields): AssistantPart[] {
  const type = nameOf(item['type'])
  if (!type) return []
  const providerOptions = { openai: { item: boundedValue(item) } }
  return [{ type: 'custom', kind: `openai.${type}`, providerOptions }]
}

/** The address or the data of an `input_image` block. */
function imageIn({ image_url: url }: Fields): { from: unknown } {
  return { from: nameOf(url) ?? fieldsOf(url)?.['url'] }
}

/** The content of a message item that isn't the model's. */
function userParts(content: unknown, harness: boolean): OriginPart[] {
  const parts = blocksIn(content).flatMap((block): OriginPart[] => {
    const words = textOf(block['text'])
    if (words !== undefined) {
      return harness || words.trim() === '</image>' ? madeParts(words) : by('human', text(words))
    }
    const image = media(imageIn(block))
    return image.length > 0 ? by(harness ? 'harness' : 'human', image) : unknownBlock(block)
  })
  return harness ? parts : saidInParts(parts)
}

/** What an output item gave the model, taken out of the envelope that some tools put it in. */
function toolOutput(item: Fields): ToolOutput {
  const output = item['output'] ?? item['tools'] ?? ''
  if (typeof output === 'string') return opened(output)
  if (Array.isArray(output)) return blocksOutput(output, false)
  const { success, content } = fieldsOf(output) ?? {}
  const failed = success === false
  if (typeof content === 'string') return textOutput(content, failed)
  if (Array.isArray(content)) return blocksOutput(content, failed)
  return { type: failed ? 'error-json' : 'json', value: boundedValue(output) }
}

/** `{"output": …, "metadata": {"exit_code": …}}` as text: the output, and whether it failed. */
function opened(said: string): ToolOutput {
  const envelope = said.startsWith('{"output":') ? fieldsOf(decodedInput(said)) : undefined
  const output = textOf(envelope?.['output'])
  const metadata = fieldsOf(envelope?.['metadata'])
  if (output === undefined || !metadata) return textOutput(said, false)
  return {
    ...textOutput(output, (countOf(metadata['exit_code']) ?? 0) !== 0),
    providerOptions: { codex: { metadata: boundedValue(metadata) } },
  }
}

function blocksOutput(blocks: readonly unknown[], failed: boolean): ToolOutput {
  const pieces = objectsOf(blocks).flatMap((block): ToolOutputPart[] => {
    if (typeof block['text'] === 'string') return outputText(block['text'])
    const image = outputMedia(imageIn(block))
    return image.length > 0 ? image : unknownBlock(block).map(({ part }) => part as ToolOutputPart)
  })
  return outputOfBlocks(pieces, failed, { codex: { failed: true } })
}
