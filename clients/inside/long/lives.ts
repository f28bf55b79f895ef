import { join } from 'node:path'
import { isolatedProcess } from '../../isolated-trial.ts'
import type { LongFigures } from './measure.ts'
import type { Life, LifePlace } from './run-life.ts'

interface Lived extends Omit<LifePlace, 'home' | 'model'> {
  model: string
}

/** Lets a client live in a process of its own, and says what is wrong; `how` names the life. */
export async function livedThrough(
  how: string,
  { dump, ...what }: Lived,
): Promise<{ figures: LongFigures; problems: number }> {
  const { name } = what
  const dumped = dump !== undefined && { dump: join(dump, `${name}-${how}`) }
  const answer = await isolatedProcess('inside/long/run-life.ts', { ...what, ...dumped })
  if ('failed' in answer) throw new Error(`${name} ${how}: ${answer.failed}`)
  const { figures, problems } = answer.said as Life
  for (const words of [...problems, ...figures.examples]) {
    process.stdout.write(`${name} ${how}: ${words}\n`)
  }
  return { figures, problems: problems.length }
}
