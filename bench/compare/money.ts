import type { Asked } from './figures.ts'

/** What all sessions together cost under one policy. */
export interface Money {
  id: string
  name: string
  /** Of requests and summaries together. */
  dollars: number
  summaries: number
  compactions: number
  /** The share of what was needed after its compactions that was in the context, 0 to 1. */
  forwardNeed: number
  /** Sessions that it could not keep in the window: their cost only counts until then. */
  stopped: number
}

export function moneyOf({ id, name, lives }: Asked): Money {
  const sum = (field: 'dollars' | 'summaryDollars' | 'compactions' | 'needed' | 'held'): number =>
    lives.reduce((total, life) => total + life[field], 0)
  const needed = sum('needed')
  return {
    id,
    name,
    dollars: sum('dollars') + sum('summaryDollars'),
    summaries: sum('summaryDollars'),
    compactions: sum('compactions'),
    forwardNeed: needed === 0 ? 0 : sum('held') / needed,
    stopped: lives.filter((life) => life.stoppedAt !== undefined || life.problem !== undefined)
      .length,
  }
}
