import { fieldsOf, listOf, nameOf, parsedJson, type Fields } from '../../json/fields.ts'
import type { BackgroundFact } from '../facts.ts'

/** Something that was running has ended. */
export interface End {
  id: string
  failed: boolean
  /** It came with what it had to say. */
  report?: true
}

type Start = Pick<BackgroundFact, 'id' | 'kind' | 'delivers'>

// A harness names what it started, or what ended, near the beginning of what it says.
const head = 4_000

const agentTools =
  /^(?:task|agent|spawn_?agent|sessions_spawn|delegate|subagent|run_?subagent|call_?agent|launch_?agent)$/i
// What these show is the text of files, pages and programs: it starts and ends nothing.
const looks =
  /^(?:read|read_?file|view|cat|open|grep|glob|ls|search|find|web_?fetch|fetch|web_?search|bash|shell|run_?command|exec|exec_command|write_stdin|terminal)$/i

/** What a call has started and left running, by its result. */
export function startIn(tool: string, output: string): Start | undefined {
  const said = output.slice(0, head)
  const name = tool.slice(tool.lastIndexOf('__') + 1)
  if (said.startsWith('Async agent launched successfully')) {
    const id = /\nagentId: ([\w-]{1,80})/.exec(said)?.[1]
    const delivers = /\noutput_file: (\S{1,300})/.exec(said)?.[1]
    return id === undefined ? undefined : { id, kind: 'agent', ...(delivers && { delivers }) }
  }
  const isAgent = agentTools.test(name)
  if (!isAgent && looks.test(name)) return undefined
  const fields = jsonIn(said, output)
  if (!fields) return undefined
  const id = idIn(fields)
  if (id === undefined) return undefined
  const state = stateIn(fields['status'] ?? fields['state'])
  if (isAgent) return state === 'ended' ? undefined : { id, kind: 'agent' }
  return state === 'running' ? { id, kind: 'job' } : undefined
}

/** What a text says to have ended: a notification, the answer to a question about it, a stop. */
export function endsIn(tool: string, input: unknown, output: string): End[] {
  const said = output.slice(0, head)
  const name = tool.slice(tool.lastIndexOf('__') + 1)
  if (looks.test(name)) return []
  const noted = tool === '' && /^\s*<task-notification>/.test(said)
  if (noted || /<(?:task_id|retrieval_status)>/.test(said)) return taskEnds(said, noted)
  const notified = /^\s*<subagent_notification>\s*(\{[^]*\})\s*<\/subagent_notification>/.exec(
    output,
  )
  if (notified?.[1] !== undefined) {
    const fields = jsonIn(notified[1], notified[1])
    const id = nameOf(fields?.['agent_path']) ?? nameOf(fields?.['agent_id'])
    return id === undefined ? [] : endOf(id, fields?.['status'])
  }
  if (tool === '') return []
  const target = idIn(fieldsOf(input) ?? {})
  if (/^(?:kill|stop|close|cancel)_?(?:shell|bash|agent|task|job)|^taskstop$/i.test(name)) {
    return target === undefined ? [] : [{ id: target, failed: false }]
  }
  if (!said.trimStart().startsWith('{')) return []
  const fields = jsonIn(said, output)
  if (!fields) return []
  const byId = fieldsOf(fields['status'])
  // `wait_agent` answers for several: the state of each under its id.
  if (byId && Object.keys(byId).every((key) => stateIn(key) === undefined)) {
    return Object.entries(byId).flatMap(([id, status]) => endOf(id, status))
  }
  const id = idIn(fields) ?? target
  return id === undefined ? [] : endOf(id, fields['status'] ?? fields['state'])
}

function taskEnds(said: string, noted: boolean): End[] {
  const id = /<task[-_]id>([^<\s]{1,120})<\/task[-_]id>/.exec(said)?.[1]
  const status = /<status>(\w{1,20})<\/status>/.exec(said)?.[1]
  if (id === undefined || stateIn(status) !== 'ended') return []
  const report = /<(?:result|output)>/.test(said) || noted
  return [{ id, failed: failures.test(status ?? ''), ...(report && { report }) }]
}

function endOf(id: string, status: unknown): End[] {
  const fields = fieldsOf(status)
  const [said, report] = fields ? (Object.entries(fields)[0] ?? []) : [status, undefined]
  if (stateIn(said) !== 'ended') return []
  const failed = failures.test(String(said))
  return [{ id, failed, ...(typeof report === 'string' && report !== '' && { report: true }) }]
}

const running =
  /^(?:accepted|queued|pending|running|started|in[_-]?progress|async_launched|scheduled)$/i
const endings =
  /^(?:completed?|succeeded|success|done|finished|failed|failure|error|errored|cancell?ed|killed|stopped|exited|timed?_?out|shutdown|interrupted|not_found)$/i
const failures = /^(?:failed|failure|error|errored|timed?_?out|not_found)$/i

function stateIn(said: unknown): 'running' | 'ended' | undefined {
  const text = nameOf(said)
  if (text === undefined) return undefined
  if (running.test(text)) return 'running'
  return endings.test(text) ? 'ended' : undefined
}

const idFields = [
  'agent_id',
  'agentId',
  'childSessionKey',
  'runId',
  'run_id',
  'task_id',
  'taskId',
  'job_id',
  'jobId',
  'shell_id',
  'shellId',
  'bash_id',
  'session_id',
  'sessionId',
  'process_id',
  'target',
  'id',
]

function idIn(fields: Fields): string | undefined {
  for (const key of idFields) {
    const value = fields[key]
    const id = typeof value === 'number' ? String(value) : nameOf(value)
    if (id !== undefined && id !== '' && id.length <= 120 && !/\s/.test(id)) return id
  }
  const targets = listOf(fields['targets'])
  return targets.length === 1 ? nameOf(targets[0]) : undefined
}

const longestJson = 400_000

function jsonIn(said: string, output: string): Fields | undefined {
  const isObject = said.trimStart().startsWith('{')
  if (!isObject || output.length > longestJson) return undefined
  return fieldsOf(parsedJson(output))
}
