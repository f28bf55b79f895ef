import type { RepositoryFact } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'
import type { CommandEffect } from '../lens.ts'
import type { Seq } from '../../log/entry.ts'

/** How many of the newest commits are remembered. */
const MOST_COMMITS = 60
const WINDOW = 20_000

const COMMITTED = /^\[([^\s\]]{1,120})(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.{1,200})/
const ON_BRANCH =
  /^(?:On branch|Switched to (?:a new )?branch|Already on) '?([\w./@+-]{1,120})'?\s*$/
const PUSHED =
  /^[ +*=-]{0,4}(?:[0-9a-f]{7,40}\.\.\.?[0-9a-f]{7,40}|\[new (?:branch|tag)\])\s+\S+ -> \S+/

/** Notes what the output of a Git command says about branch, commits and pushes. */
export function noteRepository(facts: FactsState, effect: CommandEffect, seq: Seq): void {
  const { command, output = '', failed } = effect
  // What a command that runs on puts out later comes without its line.
  if (failed === true || (command !== '' && !command.includes('git'))) return
  const { repository } = facts
  for (const line of output.slice(0, WINDOW).split('\n')) {
    const commit = COMMITTED.exec(line)
    const [, branch, sha, subject] = commit ?? []
    if (branch !== undefined && sha !== undefined && subject !== undefined) {
      noteCommit(facts, { sha, subject: subject.trim(), seq })
      repository.changed = new Set()
      if (branch !== 'detached') repository.branch = { name: branch, seq }
      continue
    }
    const on = ON_BRANCH.exec(line)?.[1]
    if (on !== undefined) repository.branch = { name: on, seq }
    else if (PUSHED.test(line)) repository.pushedAt = seq
  }
}

/** Adds a commit as the newest, once: a step that came with a summary may show it again. */
export function noteCommit(
  { repository }: FactsState,
  commit: RepositoryFact['commits'][number],
): void {
  const others = repository.commits.filter(({ sha }) => sha !== commit.sha)
  repository.commits = [...others, commit].slice(-MOST_COMMITS)
}
