import { join } from 'node:path'
import { isolatedProcess } from '../../isolated-trial.ts'
import type { Pair } from './compare.ts'
import type { Life } from './run-life.ts'

interface Lived {
  installed: string
  /** The command of the packed Throughline. */
  throughline: string
  model: string
  /** The folder where each request is written. */
  dump: string | undefined
}

/** Lets a client live alone and with Throughline inside; says what is wrong, and how much of it ours is. */
export async function livesOf(
  name: string,
  { installed, throughline, model, dump }: Lived,
): Promise<{ pair: Pair; problems: number }> {
  const live = async (how: string, more: object): Promise<Life> => {
    const dumped = dump !== undefined && { dump: join(dump, `${name}-${how}`) }
    const answer = await isolatedProcess('inside/long/run-life.ts', {
      name,
      installed,
      model,
      ...more,
      ...dumped,
    })
    if ('failed' in answer) throw new Error(`${name} ${how}: ${answer.failed}`)
    const life = answer.said as Life
    for (const words of [...life.problems, ...life.figures.examples]) {
      process.stdout.write(`${name} ${how}: ${words}\n`)
    }
    return life
  }
  const alone = await live('alone', {})
  const inside = await live('with', { throughline })
  return {
    pair: { alone: alone.figures, inside: inside.figures },
    problems: inside.problems.length,
  }
}
