// Attacks on the packed package, written by somebody who had read its documentation and types, but not its
// code: `node attacks/killed.mjs SEED quick|long`. `npm run record -- attacks` runs and records all.
// Shared by the harnesses: a seeded random source, findings, and a line of counts at the end.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
export const here = path.dirname(fileURLToPath(import.meta.url))
export const root = path.dirname(here)
export const node = process.execPath
export const cli = path.join(root, 'node_modules/throughline/bin/throughline.js')
export function rng(seed) {
  let a = (seed ^ 0x9e3779b9) >>> 0
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (n) => Math.floor(next() * n)
  const pick = (xs) => xs[int(xs.length)]
  const text = (n, alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') =>
    Array.from({ length: n }, () => alphabet[int(alphabet.length)]).join('')
  return { next, int, pick, text }
}

export const args = () => {
  const a = process.argv.slice(2).filter((x) => !x.startsWith('--'))
  const flags = new Map(
    process.argv
      .slice(2)
      .filter((x) => x.startsWith('--'))
      .map((x) => {
        const [k, v] = x.slice(2).split('=')
        return [k, v ?? 'true']
      }),
  )
  return { seed: Number(a[0] ?? 1), size: a[1] ?? 'quick', flags }
}
export class Findings {
  counts = {}
  list = []
  by = {}
  max
  constructor(max = 400) {
    this.max = max
  }
  count(name, n = 1) {
    this.counts[name] = (this.counts[name] ?? 0) + n
  }
  broken(promise, seed, detail) {
    this.by[promise] = (this.by[promise] ?? 0) + 1
    if (this.list.length < this.max && (this.by[promise] ?? 0) <= 60) {
      this.list.push({ promise, seed, detail: detail.slice(0, 600) })
      console.error(`BROKEN ${promise} [seed ${seed}] ${detail.slice(0, 600)}`)
    }
  }
  end(extra = {}) {
    console.log(JSON.stringify({ counts: this.counts, broken: this.by, ...extra }))
    process.exitCode = this.list.length > 0 ? 1 : 0
  }
}
export function tempdir(name) {
  const d = path.join(
    os.tmpdir(),
    `throughline-attack-${name}-${process.pid}-${Date.now().toString(36)}`,
  )
  fs.mkdirSync(d, { recursive: true })
  return d
}
export function allFiles(dir) {
  return fs
    .readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile())
    .map((e) => path.join(e.parentPath, e.name))
}
export function filesWith(dir, needles) {
  const out = []
  for (const f of allFiles(dir)) {
    let b
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

/** This program once more, as one of several processes. */
export function startedAgain({ seed, size, ...flags }, stdio) {
  const named = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const program = ['--no-warnings', process.argv[1], String(seed), size, ...named]
  return spawn(process.execPath, program, { stdio: ['ignore', ...stdio] })
}
/** The message that answers a call of a tool. */
export function toolMessage(toolCallId, toolName, value) {
  const output = { type: 'text', value }
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
}
