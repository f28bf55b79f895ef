import { expect, test } from 'vitest'
import { factsOf } from '../../facts/facts-of.ts'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { logFrom } from '../../testing/generate/build.ts'
import { codex } from './format.ts'

type Fields = Record<string, unknown>

const item = (payload: Fields): Fields => ({
  timestamp: '2026-04-08T12:58:59.756Z',
  type: 'response_item',
  payload,
})
const said = (text: string): Fields =>
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const answered = (text: string): Fields =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const meta = (source: unknown, more: Fields = {}): Fields => ({
  type: 'session_meta',
  payload: { id: 's1', cwd: '/code', source, ...more },
})
const spawned = { subagent: { thread_spawn: { parent_thread_id: 's0', depth: 1 } } }

const factsFrom = (records: readonly Fields[]) => factsOf(logFrom(draftsOf(codex, records)))

const task = 'Review the exporter. Do not make changes.'

test('what an agent asks its sub-agent is a task, and no rule of the human', () => {
  const { requests, rules } = factsFrom([meta(spawned), said(task), answered('No findings.')])
  expect(requests).toMatchObject([{ text: task, by: 'agent' }])
  expect(rules).toEqual([])
})

test('in the history that a sub-agent takes over, the human speaks', () => {
  const fork = [
    meta(spawned, { forked_from_id: 's0' }),
    meta('cli', { id: 's0' }),
    said('Write an exporter, and never push.'),
    item({ type: 'function_call', name: 'spawn_agent', arguments: '{}', call_id: 'c1' }),
    item({
      type: 'function_call_output',
      call_id: 'c1',
      output: 'You are the newly spawned agent. Treat the next user message as your task.',
    }),
    said(task),
    answered('No findings.'),
  ]
  const { requests, rules } = factsFrom(fork)
  expect(requests.map(({ by }) => by)).toEqual([undefined, 'agent'])
  expect(rules.map(({ text }) => text)).toEqual(['Write an exporter, and never push.'])
})

test('in a session of the human nothing that a tool says makes an agent speak', () => {
  const { requests } = factsFrom([
    meta('cli'),
    said('Look.'),
    item({ type: 'function_call', name: 'exec_command', arguments: '{}', call_id: 'c1' }),
    item({
      type: 'function_call_output',
      call_id: 'c1',
      output: 'You are the newly spawned agent.',
    }),
    said(task),
  ])
  expect(requests.map(({ by }) => by)).toEqual([undefined, undefined])
})
