import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requestOf, taskFacts, type TaskFacts } from './task-facts.ts'
import { taskScript } from './task-script.ts'
import { taskTools, type TaskTool } from './task-tools.ts'
import { makeWorkplace, type Workplace } from './workplace.ts'
import type { SaidPart } from '../provider/served-request.ts'
import type { ScriptedAnswer } from '../scripted-answer.ts'

/** A long task for an agent, its tools, and a model that can do it in small windows. */
export interface AgentTask {
  system: string
  /** What the human asks for. */
  request: string
  /** They read, edit and run in a temporary folder. */
  tools: readonly TaskTool[]
  /** What the model says, from what stands in the request alone. */
  script: (request: { said: readonly SaidPart[] }) => ScriptedAnswer
  /** Tokens: about a tenth of what the whole task is. */
  window: number
  /** Steps that it takes where nothing has to be done twice. */
  steps: number
  /** What is wrong with what was done; empty where all is as the human asked. */
  problems: () => Promise<string[]>
  /** Removes the folder. */
  end: () => Promise<void>
}

export interface AgentTaskOptions {
  /** Files that are to be changed, at three steps each; by default 100. */
  files?: number
}

/**
 * Starts a task: many files to be changed by a convention that is read once, a rule that holds
 * throughout, and a report that needs what was read at the beginning. Whoever forgets a fact, or
 * the rule, does it wrong, and `problems` tells.
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
