import { factsIn, sentenceOf } from './task-facts.ts'
import type { SaidPart } from '../provider/served-request.ts'
import type { ScriptedAnswer } from '../scripted/scripted-answer.ts'

/** Stands in for a fact that the model no longer sees, and makes the task fail. */
const lost = 'lost_'

/**
 * The model's answer to a request. It has no memory: everything it does depends on the content of
 * this one request, wherever in it the rules and facts are.
 * @example
 * const provider = await startProvider({ script: ({ said }) => taskScript(said) })
 */
export function taskScript(said: readonly SaidPart[]): ScriptedAnswer {
  const facts = factsIn(said.flatMap((part) => ('text' in part ? [part.text] : [])))
  const { prefix = lost, releaseCode = lost, forbidden } = facts
  const { name, input, text } = lastResult(said)
  switch (`${name} ${input['command'] ?? ''}`.trim().split(' ')[0]) {
    case undefined:
    case '':
      return facts.prefix === undefined ? readConventions : nextFiles()
    case 'read':
      if (input['path'] === 'docs/conventions.md') {
        return nextFiles(
          `I found in docs/conventions.md that ${sentenceOf({ prefix, releaseCode })}.`,
        )
      }
      return edit(input['path'] ?? '', text, prefix)
    case 'shell':
      return afterShell(input['command'] ?? '', text, { prefix, releaseCode, forbidden })
    default:
      return nextFiles()
  }
}

const readConventions: ScriptedAnswer = {
  text: 'First I read the conventions.',
  calls: [{ name: 'read', input: { path: 'docs/conventions.md' } }],
}

const listCommand = "grep -rl '^export const legacy' src | sort | head -n 20"

function nextFiles(text = 'Which files are left?'): ScriptedAnswer {
  return { text, calls: [{ name: 'shell', input: { command: listCommand } }] }
}

function edit(path: string, text: string, prefix: string): ScriptedAnswer {
  const [line] = /^export const legacy\w+ = \d+$/m.exec(text) ?? []
  // Pruned, clipped, or done already: the shell knows better.
  if (line === undefined) return nextFiles()
  const input = { path, old: line, new: line.replace('legacy', prefix) }
  return { text: `I rename the constant of ${path}.`, calls: [{ name: 'edit', input }] }
}

function afterShell(
  command: string,
  output: string,
  {
    prefix,
    releaseCode,
    forbidden,
  }: { prefix: string; releaseCode: string; forbidden: string | undefined },
): ScriptedAnswer {
  const countCommand = `grep -rl '^export const ${prefix}' src | wc -l`
  if (command === listCommand) {
    const left = output.split('\n').filter((path) => path.startsWith('src/'))
    const next = left.find((path) => forbidden === undefined || !path.startsWith(forbidden))
    return next === undefined
      ? { text: 'All are done.', calls: [{ name: 'shell', input: { command: countCommand } }] }
      : { text: `Next is ${next}.`, calls: [{ name: 'read', input: { path: next } }] }
  }
  if (command === countCommand) {
    const lines = [`release code: ${releaseCode}`, `files changed: ${Number(output)}`]
    const write = `printf '%s\\n' '${lines.join("' '")}' > REPORT.md`
    return { text: 'Now the report.', calls: [{ name: 'shell', input: { command: write } }] }
  }
  if (command.endsWith('> REPORT.md'))
    return { text: 'Every file is done, and the report is written.' }
  return nextFiles()
}

interface LastResult {
  name: string
  input: Partial<Record<string, string>>
  text: string
}

/** The newest result in the request, and the call that it answers. */
function lastResult(said: readonly SaidPart[]): LastResult {
  const none = { name: '', input: {}, text: '' }
  const result = said.findLast((part) => part.type === 'result')
  if (!result) return none
  const call = said.findLast((part) => part.type === 'call' && part.id === result.id)
  if (call?.type !== 'call') return none
  return { name: call.name, input: call.input as LastResult['input'], text: result.text }
}
