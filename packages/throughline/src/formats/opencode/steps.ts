import {
  boundedValue,
  fieldsOf,
  nameOf,
  objectsOf,
  type Fields,
  countOf,
  textOf,
} from '../../json/fields.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'
import type { AssistantPart, ToolOutput, ProviderOptions } from '../../log/message.ts'
import { attachment } from './user-parts.ts'

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
    if (part['type'] === 'step-start' && step.parts.length > 0) {
      steps.push(step)
      step = newStep()
    }
    addPart(step, part)
  }
  const info = fieldsOf(message['info'])
  step.usage ??= usageOf(info?.['tokens'])
  step.finish = finishOf(info?.['finish']) ?? step.finish
  return [...steps, step]
}

function newStep(): Step {
  return { parts: [], results: [], usage: undefined, finish: undefined }
}

function addPart(step: Step, part: Fields): void {
  switch (part['type']) {
    case 'text': {
      const text = nameOf(part['text'])
      if (text) step.parts.push({ type: 'text', text, ...providerOptions(part['metadata']) })
      return
    }
    case 'reasoning':
      return addReasoning(step, part)
    case 'tool':
      return addTool(step, part)
    case 'step-finish':
      step.usage = usageOf(part['tokens'])
      step.finish = finishOf(part['reason'])
  }
}

/** Reasoning that can neither be read nor sent again is left out. */
function addReasoning(step: Step, part: Fields): void {
  const text = nameOf(part['text']) ?? ''
  const options = providerOptions(part['metadata'])
  const values = Object.values(options.providerOptions ?? {})
  const sealed = values.some((value) => Object.keys(value).some((key) => key !== 'itemId'))
  if (text !== '' || sealed) step.parts.push({ type: 'reasoning', text, ...options })
}

function addTool(step: Step, part: Fields): void {
  const toolCallId = nameOf(part['callID'])
  const toolName = nameOf(part['tool'])
  if (!toolCallId || !toolName) return
  const state = fieldsOf(part['state']) ?? {}
  const options = providerOptions(part['metadata'])
  const input = boundedValue(state['input'] ?? {})
  const providerExecuted = fieldsOf(part['metadata'])?.['providerExecuted'] === true
  step.parts.push({
    type: 'tool-call',
    toolCallId,
    toolName,
    input,
    ...(providerExecuted && { providerExecuted }),
    ...options,
  })
  const output = toolOutput(state)
  if (!output) return
  const result = { toolCallId, toolName, output }
  if (providerExecuted) step.parts.push({ type: 'tool-result', ...result })
  else step.results.push(result)
}

/** What the provider wants returned with a part: opencode keeps it as the part's metadata. */
function providerOptions(metadata: unknown): { providerOptions?: ProviderOptions } {
  const options: ProviderOptions = {}
  for (const [provider, values] of Object.entries(fieldsOf(metadata) ?? {})) {
    const kept = Object.entries(fieldsOf(boundedValue(values)) ?? {}).filter(
      ([, value]) => value !== null && value !== undefined,
    )
    if (kept.length > 0) options[provider] = Object.fromEntries(kept)
  }
  return Object.keys(options).length > 0 ? { providerOptions: options } : {}
}

/** What the state of a tool's part gave the model; `undefined` while the tool is running. */
function toolOutput(state: Fields): ToolOutput | undefined {
  if (state['status'] === 'error') {
    return { type: 'error-text', value: textOf(state['error']) ?? '' }
  }
  if (state['status'] !== 'completed') return undefined
  const text = textOf(state['output']) ?? ''
  const files = objectsOf(state['attachments']).flatMap(attachment)
  if (files.length > 0) return { type: 'content', value: [{ type: 'text', text }, ...files] }
  const exit = countOf(fieldsOf(state['metadata'])?.['exit'])
  if (!exit) return { type: 'text', value: text }
  return { type: 'error-text', value: text, providerOptions: { opencode: { exit } } }
}

/** The tokens of one step; opencode counts cached input and reasoning apart. */
export function usageOf(value: unknown): Usage | undefined {
  const tokens = fieldsOf(value)
  const cache = fieldsOf(tokens?.['cache'])
  const read = countOf(cache?.['read']) ?? 0
  const written = countOf(cache?.['write']) ?? 0
  const inputTokens = (countOf(tokens?.['input']) ?? 0) + read + written
  if (inputTokens === 0) return undefined
  return {
    inputTokens,
    outputTokens: (countOf(tokens?.['output']) ?? 0) + (countOf(tokens?.['reasoning']) ?? 0),
    cacheReadTokens: read,
    cacheWriteTokens: written,
  }
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

function finishOf(reason: unknown): FinishReason | undefined {
  return finishes.get(reason)
}

/** Whether the human stopped this message. */
export function isAborted(info: Fields): boolean {
  return nameOf(fieldsOf(info['error'])?.['name']) === 'MessageAbortedError'
}
