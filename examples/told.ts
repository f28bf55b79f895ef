import type { Session } from 'throughline'

/** What an example's agent said, its session, and what is wrong with its work. */
interface Done {
  text: string
  session: Session
  problems: readonly string[]
}

/** What an example did and why, in lines for whoever runs it. */
export async function told(agent: string, { text, session, problems }: Done): Promise<string> {
  const log = await session.log()
  const { window, usable } = session.budget()
  const count = (kind: string): number => log.filter((entry) => entry.kind === kind).length
  const calls = log.filter(
    (entry) => entry.kind === 'message' && JSON.stringify(entry.message).includes('"tool-call"'),
  ).length
  return [
    `${agent} renamed a constant in many files, under a rule that it was told once, at the beginning.`,
    `It made ${calls} tool calls. All of its messages together are far more than its window of ${window.toLocaleString('en-US')} tokens takes,`,
    `so Throughline compacted the context before each request that would have held ${usable.toLocaleString('en-US')} or more: ${count('checkpoint')} summaries, ${count('prune')} prunings of old tool outputs.`,
    problems.length === 0
      ? 'Every file is as the human asked: no fact and no rule was lost on the way.'
      : `This went wrong: ${problems.join('; ')}`,
    `Its last words: ${text}`,
  ].join('\n')
}
