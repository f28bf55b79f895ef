import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requestOf, taskFacts, type TaskFacts } from './task-facts.ts'
import { taskScript } from './task-script.ts'
import { taskTools, type TaskTool } from './task-tools.ts'
import { makeWorkplace, type Workplace } from './workplace.ts'
import type { SaidPart } from '../provider/served-request.ts'
import type { ScriptedAnswer } from '../scripted/scripted-answer.ts'

/** A long task for an agent, its tools, and a model that can do it in small windows. */
export interface AgentTask {
  system: string
  /** The human's request. */
  request: string
  /** Tools that read, edit and run commands in a temporary folder. */
  tools: readonly TaskTool[]
  /** The model's answers, based only on the content of the request. */
  script: (request: { said: readonly SaidPart[] }) => ScriptedAnswer
  /** In tokens: about a tenth of the size of the whole task. */
  window: number
  /** How many steps it takes if nothing has to be done twice. */
  steps: number
  /** What is wrong with the result; empty if everything is as the human asked. */
  problems: () => Promise<string[]>
  /** Removes the folder. */
  end: () => Promise<void>
}

/** How long the task is, and how large its outputs are. */
export interface AgentTaskOptions {
  /** How many files to change, at three steps each; 100 by default. */
  files?: number
}

/**
 * Starts a task: many files to change by a convention that is read once, a rule that applies
 * throughout, and a report that needs what was read at the beginning. An agent that forgets a fact
 * or the rule does it wrong, and `problems` shows it.
 * @example
 * const task = await startTask()
 * const provider = await startProvider({ script: task.script, rules: { window: task.window } })
 */
export async function startTask({ files = 100 }: AgentTaskOptions = {}): Promise<AgentTask> {
  const facts = taskFacts
  const workplace = await makeWorkplace(facts, files)
  return {
    system: 'You are a careful engineer. You work with the tools alone, one call at a time.',
    request: requestOf(facts),
    tools: taskTools(workplace.folder),
    script: ({ said }) => taskScript(said),
    window: 16_000,
    steps: files * 3 + 5,
    problems: () => problemsIn(workplace, facts),
    end: workplace.remove,
  }
}

async function problemsIn({ folder, files }: Workplace, facts: TaskFacts): Promise<string[]> {
  const problems: string[] = []
  let changed = 0
  for (const [path, before] of files) {
    const kept = !path.startsWith('src/') || path.startsWith(facts.forbidden)
    const wanted = kept ? before : before.replace('legacy', facts.prefix)
    const now = await textOf(folder, path)
    if (!kept) changed += 1
    if (now !== wanted) problems.push(`${path} is ${now === before ? 'unchanged' : 'wrong'}`)
  }
  const report = `release code: ${facts.releaseCode}\nfiles changed: ${changed}\n`
  const written = await textOf(folder, 'REPORT.md')
  if (written !== report) problems.push(`REPORT.md is ${JSON.stringify(written)}`)
  return problems
}

async function textOf(folder: string, path: string): Promise<string | undefined> {
  return readFile(join(folder, path), 'utf8').catch(() => undefined)
}
