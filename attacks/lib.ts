// Attacks on the packed package, written by somebody who knew its documentation and types, and none of
// its code: `node attacks/killed.ts SEED quick|long`. `npm run record -- attacks` runs and records all.
// Shared by the harnesses: a seeded random source, findings, and a line of counts at the end.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
export const here = path.dirname(fileURLToPath(import.meta.url))
export const root = path.dirname(here)
export const node = process.execPath
export const cli = path.join(root, 'node_modules/throughline/bin/throughline.js')
export function rng(seed: number) {
  let a = (seed ^ 0x9e3779b9) >>> 0
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (n: number) => Math.floor(next() * n)
  const pick = <T>(xs: readonly T[]): T => xs[int(xs.length)]!
  const text = (
    n: number,
    alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  ) => Array.from({ length: n }, () => alphabet[int(alphabet.length)]).join('')
  return { next, int, pick, text }
}
export type Rng = ReturnType<typeof rng>
export const args = () => {
  const a = process.argv.slice(2).filter((x) => !x.startsWith('--'))
  const flags = new Map(
    process.argv
      .slice(2)
      .filter((x) => x.startsWith('--'))
      .map((x) => {
        const [k, v] = x.slice(2).split('=')
        return [k!, v ?? 'true'] as const
      }),
  )
  return { seed: Number(a[0] ?? 1), size: (a[1] ?? 'quick') as 'quick' | 'long', flags }
}
export class Findings {
  counts: Record<string, number> = {}
  list: { promise: string; seed: number | string; detail: string }[] = []
  by: Record<string, number> = {}
  max: number
  constructor(max = 400) {
    this.max = max
  }
  count(name: string, n = 1) {
    this.counts[name] = (this.counts[name] ?? 0) + n
  }
  broken(promise: string, seed: number | string, detail: string) {
    this.by[promise] = (this.by[promise] ?? 0) + 1
    if (this.list.length < this.max && (this.by[promise] ?? 0) <= 60) {
      this.list.push({ promise, seed, detail: detail.slice(0, 600) })
      console.error(`BROKEN ${promise} [seed ${seed}] ${detail.slice(0, 600)}`)
    }
  }
  end(extra: object = {}) {
    console.log(JSON.stringify({ counts: this.counts, broken: this.by, ...extra }))
    process.exitCode = this.list.length > 0 ? 1 : 0
  }
}
export function tempdir(name: string) {
  const d = path.join(
    os.tmpdir(),
    `throughline-attack-${name}-${process.pid}-${Date.now().toString(36)}`,
  )
  fs.mkdirSync(d, { recursive: true })
  return d
}
export function allFiles(dir: string): string[] {
  return fs
    .readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile())
    .map((e) => path.join(e.parentPath, e.name))
}
export function filesWith(dir: string, needles: readonly Buffer[]): string[] {
  const out: string[] = []
  for (const f of allFiles(dir)) {
    let b: Buffer
    try {
      b = fs.readFileSync(f)
    } catch {
      continue
    }
    for (const n of needles)
      if (n.length > 0 && b.includes(n)) {
        out.push(`${path.basename(f)}@${b.indexOf(n)}`)
        break
      }
  }
  return out
}
