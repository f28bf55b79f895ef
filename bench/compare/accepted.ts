import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pooledFacts } from 'throughline/evaluation'
import { askedIn, ourId, recordedId } from './asked.ts'
import { moneyOf } from './money.ts'
import type { Figures } from './figures.ts'

/**
 * Throughline's figures that are the same in every run, in points from 0 to 100; more is better.
 */
export type Points = Record<string, number>

/** The points of the last accepted run, for each source of sessions. */
type Accepted = Record<string, Points>

const path = join(import.meta.dirname, '../accepted.json')

/** If a figure drops by more than this, someone has to accept it. */
const tolerance = 1

/** What is compared with the accepted run. */
export function pointsOf(figures: Figures): Points {
  const ours = askedIn(figures).find(({ id }) => id === ourId)
  if (!ours) return {}
  const points: Points = {}
  const set = (name: string, share: number): void => {
    points[name] = Math.round(share * 1_000) / 10
  }
  const recorded = askedIn(figures).find(({ id }) => id === recordedId)
  for (const [who, asked] of [
    ['', ours],
    [' with recorded answers', recorded],
  ] as const) {
    for (const rows of asked?.facts ?? []) {
      const pooled = pooledFacts(rows)
      const at = `${who} at ${(rows[0]?.keep ?? 0) / 1_000}k`
      if (pooled) set(`facts${at}`, pooled.all)
      for (const { kind, share } of pooled?.kinds ?? []) {
        if (kind === 'continuation' || kind === 'constraint') set(`${kind}${at}`, share)
      }
    }
  }
  for (const { keep, forwardNeed, trail, invented, orphans, human } of ours.atCuts) {
    const at = `at ${keep / 1_000}k`
    if (human.said > 0) set(`human words ${at}`, human.held / human.said)
    if (forwardNeed.cuts > 0) set(`forward need ${at}`, forwardNeed.mean)
    if (trail.changed > 0) set(`artifact trail ${at}`, trail.right / trail.changed)
    points[`without invented paths ${at}`] = 100 - invented.length
    points[`without orphans ${at}`] = 100 - orphans
  }
  for (const { rounds, rules, drift } of ours.series?.after ?? []) {
    set(`rules after ${rounds}`, rules)
    set(`first facts after ${rounds}`, drift)
  }
  for (const { harness, ours } of figures.harnesses) set(`at compactions of ${harness}`, ours.share)
  const money = moneyOf(ours)
  if (money.compactions > 0) set('forward need in a life', money.forwardNeed)
  return points
}

/** Describes what dropped or is missing; nothing if no run with that source was accepted. */
export function regressions(accepted: Points, now: Points): string[] {
  return Object.entries(accepted).flatMap(([name, before]) => {
    const value = now[name]
    if (value === undefined) return [`${name}: was ${before}, is no longer measured`]
    return value < before - tolerance ? [`${name}: was ${before}, is now ${value}`] : []
  })
}

/** The accepted points for sessions from this source. */
export function acceptedFor(source: string): Points | undefined {
  return (JSON.parse(readFileSync(path, 'utf8')) as Accepted)[source]
}

/** Accepts these points. */
export function accept(source: string, points: Points): void {
  const accepted = JSON.parse(readFileSync(path, 'utf8')) as Accepted
  const all = { ...accepted, [source]: points }
  writeFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`)
}
