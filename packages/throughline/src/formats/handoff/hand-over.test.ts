import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf, type Message, messageText } from '../../log/message.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { writtenOf } from '../testing/written-of.ts'
import { outputWords } from '../../wires/text-pieces.ts'
import { handOver, toolTableOf } from './hand-over.ts'
import type { ToolOutput } from '../../log/message.ts'
import type { WrittenMessage, WrittenSession } from '../writing/format-writer.ts'

const formats = ['claude-code', 'codex', 'opencode', 'pi', 'copilot-cli', 'gemini-cli', 'qwen-code']

function step(calls: readonly [name: string, input: unknown, output: ToolOutput][]) {
  const id = (index: number): string => `call_${index}`
  return [
    message({
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        ...calls.map(([toolName, input], index) => ({
          type: 'tool-call' as const,
          toolCallId: id(index),
          toolName,
          input,
        })),
      ],
    }),
    message({
      role: 'tool',
      content: calls.map(([toolName, , output], index) => ({
        type: 'tool-result',
        toolCallId: id(index),
        toolName,
        output,
      })),
    }),
  ]
}

function message(message: Message): WrittenMessage {
  return { message, origin: message.role === 'user' ? 'human' : 'model', at: 7 }
}

function session(messages: WrittenMessage[], summary?: string): WrittenSession {
  return { messages, facts: {}, ...(summary !== undefined && { summary }) }
}

function shown({ messages }: WrittenSession): unknown[] {
  return messages.map(({ message, origin }) => {
    const parts = partsOf(message).map((part) => {
      if (part.type === 'tool-call') return [part.toolName, part.input]
      return part.type === 'tool-result' ? part.toolName : (part as { text: string }).text
    })
    return [message.role === 'user' ? origin : message.role, ...parts]
  })
}

/** What a model may call at once. */
function namesGiven(format: string): Set<string> {
  const given = toolTableOf(format).tools.filter((tool) => tool.given === undefined)
  return new Set(given.map(({ name }) => name))
}

const answer = message({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] })

describe('handOver', () => {
  it('converts the calls that it can, and tells the others behind their step', () => {
    const calls = step([
      ['Read', { file_path: '/a' }, { type: 'text', value: 'one line' }],
      ['Bash', { command: 'ls' }, { type: 'text', value: 'files' }],
      ['Grep', { pattern: 'x' }, { type: 'error-text', value: 'no such folder' }],
    ])
    const handed = handOver(session([...calls, answer], 'said before'), 'claude-code', 'codex')
    expect(shown(handed)).toEqual([
      ['assistant', 'I look.', ['exec_command', { cmd: 'ls' }]],
      ['tool', 'exec_command'],
      [
        'harness',
        '[In Claude Code the tool Read was called with {"file_path":"/a"}. It gave:]\none line\n\n[In Claude Code the tool Grep was called with {"pattern":"x"}. It failed:]\nno such folder',
      ],
      ['assistant', 'Done.'],
    ])
    expect(handed.summary).toBe(`said before
[This session began in Claude Code and continues in Codex, which has different tools.
What did the work there, and what does it here:
- Read{file_path} reads a file: exec_command{cmd}
- Bash{command} runs a command: exec_command{cmd}
- Grep{pattern} searches in files: exec_command{cmd}
Call only the tools that you are given now, whatever other tools are mentioned above or below.]`)
  })

  it('says it in a message of the harness where nothing was summarized', () => {
    const handed = handOver(session([answer]), 'codex', 'pi')
    expect(shown(handed)).toEqual([
      [
        'harness',
        expect.stringMatching(
          /^\[This session began in Codex and continues in pi, .*\.\nCall only/s,
        ),
      ],
      ['assistant', 'Done.'],
    ])
  })

  it('names the tools of the summary where it means tools', () => {
    const words =
      'Read the plan. <tool-output-compacted tool="Grep" bytes="1" /> `Task` was Edit({}), TodoWrite.'
    const { summary } = handOver(session([answer], words), 'claude-code', 'gemini-cli')
    const named = [...(summary ?? '').matchAll(/^- (\w+)/gm)].map(([, name]) => name)
    expect(named).toEqual(['Grep', 'Task', 'Edit'])
    expect(summary).toContain(
      '- Task{prompt, description, subagent_type} gives work to a subagent: invoke_agent{agent_name, prompt}',
    )
  })

  it('leaves nothing to call that is not there, and loses no output, whatever was said', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession(),
        fc.constantFrom(...formats),
        fc.constantFrom(...formats),
        async (drafts, from, to) => {
          const before = await writtenOf(drafts, 'whole')
          const { messages } = handOver(before, from, to)
          const parts = messages.flatMap(({ message }) => partsOf(message))
          const names = namesGiven(to)
          for (const part of parts) {
            if (part.type === 'tool-call') expect(names).toContain(part.toolName)
          }
          expectPairs(messages)
          const said = messages.map(({ message }) => messageText(message)).join('\n')
          for (const { message } of before.messages) {
            for (const part of partsOf(message)) {
              if (part.type === 'tool-result') {
                const kept = parts.some((other) => isSameResult(other, part.output))
                if (!kept) expect(said).toContain(outputWords(part.output))
              }
            }
          }
        },
      ),
      runs(60),
    )
  })
})

function isSameResult(part: ReturnType<typeof partsOf>[number], output: ToolOutput): boolean {
  return part.type === 'tool-result' && part.output === output
}

/** Every call has its one result right behind its message. */
function expectPairs(messages: readonly WrittenMessage[]): void {
  let open: string[] = []
  for (const { message } of messages) {
    if (message.role !== 'tool') expect(open).toEqual([])
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') open.push(part.toolCallId)
      if (part.type === 'tool-result') {
        expect(open).toContain(part.toolCallId)
        open = open.filter((id) => id !== part.toolCallId)
      }
    }
  }
  expect(open).toEqual([])
}
