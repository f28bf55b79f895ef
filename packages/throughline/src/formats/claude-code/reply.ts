import { nameOf, fieldsOf, boundedValue, objectsOf, textOf } from '../../json/fields.ts'
import { finishOf, usageOf } from '../../wires/anthropic/wire.ts'
import { partsOf, outputText } from '../../log/message.ts'
import { isFailed } from '../../wires/text-pieces.ts'
import type { Fields } from '../../json/fields.ts'
import type { FinishReason, MessageDraft, Usage } from '../../log/entry.ts'
import type { AssistantPart, ToolResultPart, ToolOutput } from '../../log/message.ts'
import type { WrittenMessage } from '../writing/format-writer.ts'

type RefusedResult = Pick<ToolResultPart, 'toolName' | 'output'>

const refused = "The user doesn't want to proceed with this tool use."
const saying = 'the user said:\n'
// Texts that the client itself writes in the human's name.
const notTheirs = 'The user wants to clarify these questions.'

// The errors of these begin in words of the client: no file or output can stand there.
const ownTool =
  /^(?:Edit|MultiEdit|Write|NotebookEdit|Read|Glob|Grep|LS|Bash|BashOutput|KillShell|Task|Agent|Task[A-Z]\w{2,20}|TodoWrite|TodoRead|Skill|ExitPlanMode|EnterPlanMode|AskUserQuestion|exit_plan_mode)$/

/**
 * What the human said when they refused a call. Claude Code puts it inside the call's result, but
 * it is a request like any other, and may be the latest. A refused call has failed; what a tool of
 * somebody else says when it fails is its own.
 */
export function refusalWords({ toolName, output }: RefusedResult): string | undefined {
  if (!isFailed(output) || !ownTool.test(toolName)) return undefined
  const text = outputText(output)
  if (!text.startsWith(refused)) return undefined
  const at = text.indexOf(saying)
  if (at === -1) return undefined
  const words = text.slice(at + saying.length).trim()
  return words === '' || words.startsWith(notTheirs) ? undefined : words
}

/** What the human said when refusing a call is in its result, and nowhere else. */
export function withoutRefusals(messages: readonly WrittenMessage[]): WrittenMessage[] {
  return messages.filter(({ message }, index) => {
    const before = messages[index - 1]?.message
    if (message.role !== 'user' || before?.role !== 'tool') return true
    const refusals = new Set(
      before.content.flatMap((part) => (part.type === 'tool-result' ? refusalWords(part) : [])),
    )
    return !partsOf(message).every((part) => part.type === 'text' && refusals.has(part.text))
  })
}

/** One reply of the model, assembled from its records, with the results of its calls. */
export interface Reply {
  /** The API's id, which all its records share. */
  id: string | undefined
  unit: number
  at: number
  records: string[]
  parts: AssistantPart[]
  model: string | undefined
  usage: Usage | undefined
  finish: FinishReason | undefined
  calls: Set<string>
  /** Calls that have no result yet. */
  open: Set<string>
  results: ToolResultPart[]
  resultsAt: number
  resultRecords: string[]
  /** What the harness said while calls were open; it comes after the results. */
  after: { unit: number; drafts: MessageDraft[] }[]
  interrupted: boolean
}

export function newReply(record: Fields, unit: number, at: number): Reply {
  return {
    id: replyId(record),
    unit,
    at,
    records: [],
    parts: [],
    model: undefined,
    usage: undefined,
    finish: undefined,
    calls: new Set(),
    open: new Set(),
    results: [],
    resultsAt: at,
    resultRecords: [],
    after: [],
    interrupted: false,
  }
}

/** Whether this record is another block of the reply. */
export function belongsTo(reply: Reply, record: Fields): boolean {
  const id = replyId(record)
  return id === undefined ? reply.id === undefined && reply.results.length === 0 : id === reply.id
}

/** Adds the blocks of a record to its reply, and returns the calls that they make. */
export function addBlocks(reply: Reply, record: Fields): { id: string; name: string }[] {
  const message = fieldsOf(record['message'])
  const calls: { id: string; name: string }[] = []
  for (const part of assistantParts(message?.['content'])) {
    const call = part.type === 'tool-call' && !part.providerExecuted ? part : undefined
    if (call && reply.calls.has(call.toolCallId)) continue
    reply.parts.push(part)
    if (!call) continue
    reply.calls.add(call.toolCallId)
    reply.open.add(call.toolCallId)
    calls.push({ id: call.toolCallId, name: call.toolName })
  }
  const uuid = nameOf(record['uuid'])
  if (uuid) reply.records.push(uuid)
  reply.model = modelNamed(message?.['model']) ?? reply.model
  // Every record repeats the reply's usage; the last one has the final count.
  reply.usage = usageOf(message?.['usage']) ?? reply.usage
  reply.finish = finishOf(message?.['stop_reason']) ?? reply.finish
  return calls
}

/** What the client calls the model where it spoke for it. */
export const nobodysModel = '<synthetic>'
/** What a written session calls a model that nobody named. */
export const unnamedModel = 'unknown'

function modelNamed(value: unknown): string | undefined {
  const name = nameOf(value)
  return name === unnamedModel ? undefined : name
}

function isSynthetic(reply: Reply): boolean {
  return reply.model === nobodysModel
}

/** The reply as a message, or `undefined` if it has nothing that is ever sent again. */
export function replyDraft(reply: Reply): MessageDraft | undefined {
  const said = reply.parts.some(
    (part) => part.type !== 'reasoning' && (part.type !== 'text' || part.text.trim() !== ''),
  )
  if (!said) return undefined
  const { at, model, usage, parts } = reply
  const synthetic = isSynthetic(reply)
  return {
    kind: 'message',
    at,
    message: { role: 'assistant', content: parts },
    origin: synthetic ? 'synthetic' : 'model',
    ...(model && !synthetic && { model }),
    ...(usage && { usage }),
    finish: finishReason(reply),
    metadata: { source: { records: reply.records, ...(reply.id && { message: reply.id }) } },
  }
}

function finishReason(reply: Reply): FinishReason {
  if (reply.finish) return reply.finish
  const called = reply.calls.size > 0
  if (reply.interrupted && (reply.open.size > 0 || !called)) return 'aborted'
  return called ? 'tool-calls' : 'stop'
}

function replyId(record: Fields): string | undefined {
  return nameOf(fieldsOf(record['message'])?.['id'])
}

/** The blocks of an assistant record as parts. */
function assistantParts(content: unknown): AssistantPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return objectsOf(content).flatMap(partOf)
}

function partOf(block: Fields): AssistantPart[] {
  switch (block['type']) {
    case 'text': {
      const text = textOf(block['text'])
      return text ? [{ type: 'text', text }] : []
    }
    case 'thinking':
      return thinking(block)
    case 'redacted_thinking': {
      const redactedData = nameOf(block['data'])
      if (!redactedData) return []
      return [{ type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData } } }]
    }
    case 'tool_use':
      return toolCall(block, false)
    case 'server_tool_use':
    case 'mcp_tool_use':
      return toolCall(block, true)
    default:
      return typeof block['tool_use_id'] === 'string' ? serverResult(block) : unknownBlock(block)
  }
}

function thinking(block: Fields): AssistantPart[] {
  const text = textOf(block['thinking']) ?? ''
  const signature = nameOf(block['signature'])
  if (text === '' && !signature) return []
  const providerOptions = { anthropic: { signature } }
  return [{ type: 'reasoning', text, ...(signature && { providerOptions }) }]
}

function toolCall(block: Fields, providerExecuted: boolean): AssistantPart[] {
  const toolCallId = nameOf(block['id'])
  const toolName = nameOf(block['name'])
  if (!toolCallId || !toolName) return []
  const input = boundedValue(block['input'] ?? {})
  return [
    {
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
      ...(providerExecuted && { providerExecuted }),
    },
  ]
}

/** The result of a tool that the provider ran is in the reply itself. */
function serverResult(block: Fields): AssistantPart[] {
  const toolCallId = nameOf(block['tool_use_id'])
  if (!toolCallId) return []
  const toolName = (nameOf(block['type']) ?? 'server').replace('_tool_result', '')
  const output: ToolOutput = { type: 'json', value: boundedValue(block['content'] ?? null) }
  return [{ type: 'tool-result', toolCallId, toolName, output }]
}

function unknownBlock(block: Fields): AssistantPart[] {
  const type = nameOf(block['type'])
  if (!type) return []
  const anthropic = { block: boundedValue(block) }
  return [{ type: 'custom', kind: `anthropic.${type}`, providerOptions: { anthropic } }]
}
