import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { badWords, spokenKey, summaryFaults } from './summary-faults.ts'
import { clientHosts, type ClientEnd } from './client-hosts.ts'
import { modelOn } from './wires.ts'
import { openElsewhere } from './elsewhere.ts'
import { recordedFaults, recordFaults, updates } from './recorded-faults.ts'
import { scriptOf, summaryModel } from './trial.ts'
import { startProvider } from '../../testing/provider/index.ts'
import type { ClientHost } from './client-hosts.ts'
import type { Fault } from './fault.ts'
import type { OutsideResult } from './faults-page.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-client-faults-'))
beforeAll(() => void vi.stubGlobal('THROUGHLINE', { node: 'node', program: 'program.js' }))
afterAll(() => {
  vi.unstubAllGlobals()
  rmSync(root, { recursive: true, force: true })
})

const met: readonly Fault[] = [{ name: 'none' }, ...summaryFaults]
const names = Object.keys(clientHosts) as (keyof typeof clientHosts)[]
const runs = met.flatMap((fault) => names.map((client) => ({ fault, client, name: fault.name })))
const results = new Map<string, OutsideResult>()

afterAll(() => {
  if (!updates) return
  const records = met.map(({ name }) => ({
    fault: name,
    results: Object.fromEntries(
      names.map((client) => [
        client,
        [results.get(`${name} ${client}`)].filter((one) => one !== undefined),
      ]),
    ),
  }))
  recordFaults('clients', records)
})

/** A silent model is asked at all: on a slow machine that takes longer. */
async function trial(fault: Fault, host: ClientHost): Promise<ClientEnd & { calls: number }> {
  const isSilent = fault.summarizer?.timeout !== undefined
  for (let patience = 300; ; patience *= 4) {
    const provider = await startProvider({ script: scriptOf(fault) })
    const elsewhere = fault.elsewhere && (await openElsewhere(fault.elsewhere))
    try {
      const model = modelOn('chat', elsewhere?.url ?? provider.url, summaryModel)
      const end = await host({ root, model, patience: isSilent ? patience : undefined })
      const calls = provider.requests.length
      if (calls > 0 || !isSilent) return { ...end, calls }
    } finally {
      await provider.close()
      await elsewhere?.close()
    }
  }
}

const refusals = /^(?:the key is rejected|403|no such model|400) /

describe('a plugin in a client whose model fails', () => {
  it.each(runs)(
    'goes on with a summary by code, and says why, as docs/faults.md says: $client, $name',
    async ({ fault, client }) => {
      const { context, by, told, isReasonTold, calls } = await trial(fault, clientHosts[client])
      const who = by === 'client-model' ? 'model' : by === 'local' ? 'code' : 'client'
      const result: OutsideResult = { calls, by: who }
      results.set(`${fault.name} ${client}`, result)
      expect(who).not.toBe('client')
      expect(context).not.toContain(badWords)
      expect(told).not.toContain(spokenKey)
      expect(context).toContain(
        client === 'Claude Code' ? 'Never touch config/prod.ts.' : 'Never write to any of them.',
      )
      if (who === 'code') expect(isReasonTold).toBe(true)
      if (refusals.test(fault.name)) expect(calls).toBe(1)
      if (updates) return
      const record = recordedFaults('clients').find((one) => one.fault === fault.name)
      expect(record?.results[client]).toEqual([result])
    },
  )
})
