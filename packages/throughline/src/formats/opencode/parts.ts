import {
  boundedValue,
  countOf,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import {
  by,
  call,
  media,
  outputMedia,
  partsByType,
  reasoning,
  rowFor,
  text,
  textOutput,
  understood,
  usage,
  type Rows,
  type Sealed,
} from '../conversation/parts.ts'
import { madeParts, saidInParts, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The parts of a user's message as the model saw them, and who really made each. */
export function userParts(parts: readonly Fields[]): OriginPart[] {
  const said = parts.flatMap((part) => {
    const { type, text: words, ignored, synthetic } = part
    if (ignored === true) return []
    const row = rowFor(userRows, type)
    if (row) return row(part)
    if (typeof type === 'string' && type !== 'text') {
      return forClient.has(type) && !nameOf(words) ? [] : understood(part, [])
    }
    const own = type === 'text' ? text(words) : []
    return understood(part, by(synthetic === true ? 'harness' : 'human', own))
  })
  return saidInParts(said)
}

const userRows: Rows<Fields, OriginPart[]> = {
  // A file that was sent unchanged. Texts and directories are in separate texts.
  file: ({ mime: mediaType, url: from, filename }) =>
    nameOf(mediaType) && !asText.has(mediaType)
      ? by('human', media({ from, mediaType, filename }))
      : [],
  // What opencode shows the model for a command that the human gave to a subagent.
  subtask: () => madeParts('The following tool was executed by the user'),
}

/** Parts that opencode keeps for itself. */
const forClient: ReadonlySet<unknown> = new Set([
  'agent',
  'compaction',
  'patch',
  'retry',
  'snapshot',
  'step-finish',
  'step-start',
])

const asText: ReadonlySet<unknown> = new Set(['text/plain', 'application/x-directory'])

/** One response of the model: opencode keeps each call and its result in one part. */
export interface Step {
  parts: AssistantPart[]
  results: { toolCallId: string; toolName: string; output: ToolOutput }[]
  usage: Usage | undefined
  finish: FinishReason | undefined
}

/** The steps of an assistant's message: one as a rule, several in old versions. */
export function stepsOf(message: Fields): Step[] {
  const steps: Step[] = []
  let step = newStep()
  for (const part of objectsOf(message['parts'])) {
    const { type } = part
    if (type === 'step-start' && step.parts.length > 0) {
      steps.push(step)
      step = newStep()
    }
    if (type === 'step-finish') {
      step.usage = usageOf(part['tokens'])
      step.finish = finishes.get(part['reason'])
    }
    if (!forClient.has(type)) step.parts.push(...partsByType(replyRows, [part]))
    if (type === 'tool') step.results.push(...resultsOf(part))
  }
  const info = fieldsOf(message['info'])
  step.usage ??= usageOf(info?.['tokens'])
  step.finish = finishes.get(info?.['finish']) ?? step.finish
  return [...steps, step]
}

function newStep(): Step {
  return { parts: [], results: [], usage: undefined, finish: undefined }
}

const replyRows: Rows<Fields, AssistantPart[]> = {
  text: ({ text: words, metadata }) => text(words).map((part) => ({ ...part, ...noted(metadata) })),
  reasoning({ text: words, metadata }) {
    const seal = noted(metadata)
    const values = Object.values(seal.providerOptions ?? {})
    const isSealed = values.some((value) => Object.keys(value).some((key) => key !== 'itemId'))
    return nameOf(words) || isSealed ? reasoning(words, seal) : []
  },
  tool(part) {
    const { callID, tool, state, metadata } = part
    const providerExecuted = isExecuted(part)
    const seal = { ...(providerExecuted && { providerExecuted }), ...noted(metadata) }
    const called = call(callID, tool, fieldsOf(state)?.['input'], seal)
    if (!providerExecuted) return called
    return [
      ...called,
      ...answers(part).map((given) => ({ type: 'tool-result' as const, ...given })),
    ]
  },
}

function isExecuted({ metadata }: Fields): boolean {
  return fieldsOf(metadata)?.['providerExecuted'] === true
}

function resultsOf(part: Fields): Step['results'] {
  return isExecuted(part) ? [] : answers(part)
}

/** What the state of a tool's part gave the model; nothing while the tool is running. */
function answers({ callID, tool, state }: Fields): Step['results'] {
  const [toolCallId, toolName] = [nameOf(callID), nameOf(tool)]
  const output = toolOutput(fieldsOf(state) ?? {})
  return toolCallId && toolName && output ? [{ toolCallId, toolName, output }] : []
}

function toolOutput(state: Fields): ToolOutput | undefined {
  if (state['status'] === 'error') return textOutput(textOf(state['error']) ?? '', true)
  if (state['status'] !== 'completed') return undefined
  const value = textOf(state['output']) ?? ''
  const files = objectsOf(state['attachments']).flatMap(attachment)
  if (files.length > 0) return { type: 'content', value: [{ type: 'text', text: value }, ...files] }
  const exit = countOf(fieldsOf(state['metadata'])?.['exit'])
  if (!exit) return textOutput(value, false)
  return { ...textOutput(value, true), providerOptions: { opencode: { exit } } }
}

function attachment({ url: from, mime: mediaType }: Fields): ToolOutputPart[] {
  return nameOf(from)?.startsWith('data:') ? outputMedia({ from, mediaType }) : []
}

/** What the provider wants returned with a part: opencode keeps it as the part's metadata. */
function noted(metadata: unknown): Sealed {
  const options = Object.entries(fieldsOf(metadata) ?? {}).flatMap(([provider, values]) => {
    const kept = Object.entries(fieldsOf(boundedValue(values)) ?? {}).filter(
      ([, value]) => value !== null && value !== undefined,
    )
    return kept.length > 0 ? [[provider, Object.fromEntries(kept)] as const] : []
  })
  return options.length > 0 ? { providerOptions: Object.fromEntries(options) } : {}
}

/** The tokens of one step; opencode counts cached input and reasoning apart. */
export function usageOf(tokens: unknown): Usage | undefined {
  const { input, output, reasoning: thought, cache } = fieldsOf(tokens) ?? {}
  const { read: cacheRead = 0, write: cacheWrite = 0 } = fieldsOf(cache) ?? {}
  const counted = { input: [input, cacheRead, cacheWrite], output: [output, thought] }
  return usage({ ...counted, cacheRead, cacheWrite })
}

const finishes: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool-calls', 'tool-calls'],
  ['length', 'length'],
  ['content-filter', 'content-filter'],
  ['error', 'error'],
  ['other', 'other'],
  ['unknown', 'other'],
])
