import { generateText, jsonSchema, tool } from 'ai'
import {
  anthropicStep,
  asked,
  chatStep,
  found,
  path,
  remark,
  responsesStep,
  stepOf,
  task,
} from './agent-steps.ts'
import { compact } from '../../integrations/anthropic/index.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import { compactChat, compactInput } from '../../integrations/openai/index.ts'
import type { ResponsesItem } from '../../wires/openai-responses/calls.ts'
import { compactMessages } from '../../session/once/compact-messages.ts'
import { scriptedModel } from '../../testing/scripted/scripted-model.ts'
import { window, type Door } from './walked.ts'
import type { Message } from '../../log/message.ts'

function stateless<Native>(
  first: Native,
  stepOf: (number: number) => readonly Native[],
  compact: (
    messages: readonly Native[],
    options: { window: typeof window },
  ) => Promise<{ messages: readonly Native[]; report: { action: string } }>,
): Door {
  return async (steps) => {
    const requests: (readonly unknown[])[] = []
    const all: Native[] = [first]
    let compactions = 0
    for (let number = 1; number <= steps; number++) {
      const { messages, report } = await compact(all, { window })
      requests.push(messages)
      if (report.action !== 'none') compactions += 1
      all.push(...stepOf(number))
    }
    return { requests, compactions }
  }
}

/** The SDK's own loop around the function that has no session. */
const prepareStep: Door = async (steps) => {
  let number = 0
  let compactions = 0
  const model = scriptedModel({
    script: () => ({
      text: remark(++number),
      calls: [{ name: 'read', input: { path: path(number) }, id: `call-${number}` }],
    }),
  })
  await generateText({
    model,
    prepareStep: async ({ messages: all }) => {
      const { messages, report } = await compactMessages(all, { window })
      if (report.action !== 'none') compactions += 1
      return { messages }
    },
    tools: {
      read: tool({
        inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
        execute: async () => found(number),
      }),
    },
    messages: [{ role: 'user', content: task }],
    stopWhen: () => number >= steps,
  })
  return { requests: model.requests.map(({ prompt }) => prompt), compactions }
}

/** Every function that a host calls with its whole history, and that has no session. */
export const statelessDoors: Readonly<Record<string, Door>> = {
  'compactMessages in prepareStep': prepareStep,
  compactMessages: stateless<Message>(asked, stepOf, compactMessages),
  compact: stateless<AnthropicMessage>(asked, anthropicStep, compact),
  compactChat: stateless<Parameters<typeof compactChat>[0][number]>(asked, chatStep, compactChat),
  compactInput: stateless<ResponsesItem>(asked as ResponsesItem, responsesStep, compactInput),
}
