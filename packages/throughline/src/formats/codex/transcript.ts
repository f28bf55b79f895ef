import {
  nameOf,
  jsonOf,
  objectsOf,
  textOf,
  boundedValue,
  countOf,
  fieldsOf,
} from '../../json/fields.ts'
import { textOutput } from '../conversation/tool-output.ts'
import { assistantParts, imagePart, imageOutput } from './assistant-parts.ts'
import { saidInParts, madeParts } from '../conversation/user-messages.ts'
import { newStep, resultsDraft, stepDrafts } from './step.ts'
import { userMessages } from '../conversation/user-messages.ts'
import type { Fields } from '../../json/fields.ts'
import type { Step, TokenCount } from './step.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { MessageDraft, Metadata } from '../../log/entry.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'

/**
 * Turns response items into messages. Items of the next response that come before the previous
 * one's calls are answered are held back, so that results follow their step.
 */
export interface Transcript {
  give: (draft: MessageDraft) => void
  metadata: Metadata | undefined
  model: string | undefined
  step: Step | undefined
  held: Held[]
  /** Calls that are in `held`. */
  heldCalls: Set<string>
  /** Names of the tools that were called, by call. */
  tools: Map<string, string>
  /** How many calls so far have no id of their own. */
  serial: number
}

type Held = { item: Fields; at: number } | { count: TokenCount }

const mostHeld = 256

export function newTranscript(
  give: (draft: MessageDraft) => void,
  tools: Map<string, string>,
  metadata?: Metadata,
): Transcript {
  return {
    give,
    metadata,
    model: undefined,
    step: undefined,
    held: [],
    heldCalls: new Set(),
    tools,
    serial: 0,
  }
}

export function readItem(transcript: Transcript, item: Fields, at: number): void {
  const type = nameOf(item['type'])
  if (!type || unseen.has(type)) return
  if (type.endsWith('_output')) return readOutput(transcript, item, at)
  if (type === 'message' && item['role'] !== 'assistant') return readUser(transcript, item, at)
  readAssistant(transcript, item, at)
}

const unseen: ReadonlySet<string> = new Set(['ghost_snapshot', 'ghost_commit', 'other'])

/** The usage of a response comes when the response is whole. */
export function readCount(transcript: Transcript, count: TokenCount): void {
  const { step, held } = transcript
  if (held.length > 0) return void held.push({ count })
  if (!step) return
  step.usage ??= count.usage
  step.sealed = true
}

/** Adds everything that is held back, answered or not. */
function flush(transcript: Transcript): void {
  const { held } = transcript
  transcript.held = []
  transcript.heldCalls = new Set()
  closeStep(transcript)
  for (const one of held) {
    if ('count' in one) readCount(transcript, one.count)
    else if (isModelItem(one.item)) addItem(transcript, one.item, one.at)
    else giveUser(transcript, userDrafts(one.item, one.at, transcript.metadata))
  }
}

/** Adds everything held back and the last step, which gets nothing more. */
export function finish(transcript: Transcript): void {
  flush(transcript)
  closeStep(transcript)
}

function readAssistant(transcript: Transcript, item: Fields, at: number): void {
  const { step, held } = transcript
  const next = step !== undefined && (step.sealed || step.results.length > 0)
  if (held.length > 0 || (next && step.open.size > 0)) return hold(transcript, item, at)
  addItem(transcript, item, at)
}

function readUser(transcript: Transcript, item: Fields, at: number): void {
  const { step, held } = transcript
  const drafts = userDrafts(item, at, transcript.metadata)
  if (step && drafts.some(isInterruption)) step.interrupted = true
  const waits = held.length > 0 || (step !== undefined && step.open.size > 0)
  if (waits && drafts.every(({ origin }) => origin === 'harness')) {
    return hold(transcript, item, at)
  }
  if (waits) flush(transcript)
  giveUser(transcript, drafts)
}

function hold(transcript: Transcript, item: Fields, at: number): void {
  transcript.held.push({ item, at })
  const call = nameOf(item['call_id'])
  if (call) transcript.heldCalls.add(call)
  if (transcript.held.length >= mostHeld) flush(transcript)
}

function addItem(transcript: Transcript, item: Fields, at: number): void {
  let { step } = transcript
  if (step && (step.sealed || step.results.length > 0)) {
    closeStep(transcript)
    step = undefined
  }
  const parts = assistantParts(item, transcript.serial + 1)
  if (parts.length === 0) return
  step ??= newStep(at, transcript.model)
  transcript.step = step
  for (const part of parts) addPart(transcript, step, part)
  if (item['phase'] === 'final_answer') step.sealed = true
}

function addPart(transcript: Transcript, step: Step, part: AssistantPart): void {
  if (part.type === 'tool-call') {
    if (step.calls.has(part.toolCallId)) return
    transcript.tools.set(part.toolCallId, part.toolName)
    if (part.providerExecuted) {
      transcript.serial++
    } else {
      step.calls.add(part.toolCallId)
      step.open.add(part.toolCallId)
    }
  }
  step.parts.push(part)
}

function readOutput(transcript: Transcript, item: Fields, at: number): void {
  const toolCallId = nameOf(item['call_id'])
  if (!toolCallId) return
  // The model continued with its next response: open calls in the last one stay open.
  if (transcript.heldCalls.has(toolCallId)) flush(transcript)
  const toolName = transcript.tools.get(toolCallId) ?? 'unknown'
  const output = toolOutput(item)
  const result = { type: 'tool-result' as const, toolCallId, toolName, output }
  const { step } = transcript
  if (!step?.open.delete(toolCallId)) return give(transcript, resultsDraft([result], at))
  step.results.push(result)
  step.resultsAt = at
  if (step.open.size === 0 && transcript.held.length > 0) release(transcript)
}

/** All calls are answered: what was held back follows. */
function release(transcript: Transcript): void {
  const { held } = transcript
  transcript.held = []
  transcript.heldCalls = new Set()
  closeStep(transcript)
  for (const one of held) {
    if ('count' in one) readCount(transcript, one.count)
    else readItem(transcript, one.item, one.at)
  }
}

function giveUser(transcript: Transcript, drafts: readonly MessageDraft[]): void {
  closeStep(transcript)
  for (const draft of drafts) transcript.give(draft)
}

function closeStep(transcript: Transcript): void {
  const { step } = transcript
  transcript.step = undefined
  for (const draft of step ? stepDrafts(step) : []) give(transcript, draft)
}

function give(transcript: Transcript, draft: MessageDraft): void {
  const { metadata } = transcript
  transcript.give(metadata ? { ...draft, metadata } : draft)
}

function isModelItem(item: Fields): boolean {
  return item['type'] !== 'message' || item['role'] === 'assistant'
}

/** A message item that isn't the model's, as messages by their real authors. */
function userDrafts(item: Fields, at: number, metadata?: Metadata): MessageDraft[] {
  const role = textOf(item['role'])
  const harness = role !== 'user'
  const content = item['content']
  const parts =
    typeof content === 'string'
      ? textParts(content, harness)
      : objectsOf(content).flatMap((block) => blockParts(block, harness))
  const source = harness && role !== undefined && { source: { role } }
  const said = harness ? parts : saidInParts(parts)
  return userMessages(said, at, source || metadata ? { ...source, ...metadata } : undefined)
}

function blockParts(block: Fields, harness: boolean): OriginPart[] {
  const text = textOf(block['text'])
  if (text !== undefined) return textParts(text, harness)
  const image = imagePart(block)
  const origin = harness ? 'harness' : 'human'
  if (image) return [{ origin, part: image }]
  const json = jsonOf(block)
  return json === undefined ? [] : [{ origin: 'harness', part: { type: 'text', text: json } }]
}

/** What an output item gave the model, taken out of the envelope that some tools put it in. */
function toolOutput(item: Fields): ToolOutput {
  const output = item['output'] ?? item['tools'] ?? ''
  if (typeof output === 'string') return opened(output)
  if (Array.isArray(output)) return blocksOutput(output, false)
  const fields = fieldsOf(output)
  const failed = fields?.['success'] === false
  const content = fields?.['content']
  if (typeof content === 'string') return textOutput(content, failed)
  if (Array.isArray(content)) return blocksOutput(content, failed)
  return { type: failed ? 'error-json' : 'json', value: boundedValue(output) }
}

/** `{"output": …, "metadata": {"exit_code": …}}` as text: the output, and whether it failed. */
function opened(text: string): ToolOutput {
  if (!text.startsWith('{"output":')) return textOutput(text, false)
  const envelope = parsed(text)
  const output = textOf(envelope?.['output'])
  const metadata = fieldsOf(envelope?.['metadata'])
  if (output === undefined || !metadata) return textOutput(text, false)
  const exitCode = countOf(metadata['exit_code'])
  return {
    ...textOutput(output, exitCode !== undefined && exitCode !== 0),
    providerOptions: { codex: { metadata: boundedValue(metadata) } },
  }
}

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

function blocksOutput(blocks: readonly unknown[], failed: boolean): ToolOutput {
  const parts = objectsOf(blocks).flatMap(outputPart)
  const [only] = parts
  if (parts.length === 0) return textOutput('', failed)
  if (parts.length === 1 && only?.type === 'text') return textOutput(only.text ?? '', failed)
  return {
    type: 'content',
    value: parts,
    ...(failed && { providerOptions: { codex: { failed: true } } }),
  }
}

function outputPart(block: Fields): ToolOutputPart[] {
  const text = textOf(block['text'])
  if (text !== undefined) return [{ type: 'text', text }]
  const image = imageOutput(block)
  if (image) return [image]
  const json = jsonOf(block)
  return json === undefined ? [] : [{ type: 'text', text: json }]
}

/** A text of a user's message, before it is divided into what the human said and what was added. */
function textParts(text: string, harness: boolean): OriginPart[] {
  if (harness || text.trim() === '</image>') return madeParts(text)
  return text === '' ? [] : [{ origin: 'human', part: { type: 'text', text } }]
}

function isInterruption({ message }: MessageDraft): boolean {
  const { content } = message
  return typeof content === 'string' && content.trimStart().startsWith('<turn_aborted>')
}
