import { readFileSync } from 'node:fs'
import { Session, type Profiler } from 'node:inspector/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What some work spends its time on. */
export interface Share {
  /** A folder or a file of the source, or what the engine of JavaScript does itself. */
  where: string
  /** Of the time of the work, from 0 to 1. */
  share: number
}

const interval = 200

/** Profiles this thread while `work` runs: the shares of the rooms of the source, the largest first. */
export async function profileOf(work: () => Promise<unknown>): Promise<Share[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return sharesOf(profile)
}

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Share[] {
  const places = new Map(nodes.map((node) => [node.id, placeOf(node)]))
  const times = new Map<string, number>()
  let all = 0
  for (const [at, node] of samples.entries()) {
    const place = places.get(node)
    const took = timeDeltas[at] ?? 0
    if (place === undefined) continue
    times.set(place, (times.get(place) ?? 0) + took)
    all += took
  }
  return [...times]
    .map(([where, took]) => ({ where, share: took / all }))
    .toSorted((one, other) => other.share - one.share)
}

const isDone = new Set(['(idle)', '(program)', '(root)'])

/** The folder of a node's source; nowhere, where it is of the bench itself or waits. */
function placeOf({
  callFrame: { functionName, url, lineNumber, columnNumber },
}: Profiler.ProfileNode): string | undefined {
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (isDone.has(functionName) || url.startsWith('node:')) return undefined
  if (url === '') return 'functions of JavaScript itself'
  if (!url.includes('/throughline/dist/')) return undefined
  const entry = mapOf(url).findEntry(lineNumber, columnNumber)
  if (!('originalSource' in entry)) return undefined
  return dirname(entry.originalSource.replace(/^.*\/src\//, ''))
}

const maps = new Map<string, SourceMap>()

function mapOf(url: string): SourceMap {
  let map = maps.get(url)
  if (!map) {
    const text = readFileSync(`${fileURLToPath(url)}.map`, 'utf8')
    map = new SourceMap(JSON.parse(text) as SourceMapPayload)
    maps.set(url, map)
  }
  return map
}
