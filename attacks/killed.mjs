// killed.mjs SEED SIZE: writers on one store are killed with SIGKILL at random instants. After each kill another
// process reopens: nothing acknowledged is lost, nothing half-done stays, no redacted text comes back.
import { openSession, forkSession } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { jsonLinesStore } from 'throughline/stores'
import fs from 'node:fs'
import path from 'node:path'
import { rng, args, Findings, tempdir, allFiles, startedAgain, toolMessage } from './lib.mjs'
const { seed, size, flags } = args()
const open = (kind, dir) =>
  kind === 'sqlite'
    ? sqliteStore({ file: path.join(dir, 's.db') })
    : jsonLinesStore({ directory: path.join(dir, 'j') })
const send = (o) => fs.writeSync(1, JSON.stringify(o) + '\n')
const marker = (who, n) => `M${who.toString(36)}x${n.toString(36).padStart(6, '0')}Z`
const user = (t) => ({
  kind: 'message',
  at: Date.now(),
  origin: 'human',
  message: { role: 'user', content: t },
})
const step = (t, id) => [
  {
    kind: 'message',
    at: Date.now(),
    origin: 'model',
    finish: 'tool-calls',
    message: {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: id, toolName: 'bash', input: { command: 'cat a.ts' } },
      ],
    },
  },
  {
    kind: 'message',
    at: Date.now(),
    origin: 'tool',
    message: toolMessage(id, 'bash', t),
  },
]

if (flags.has('writer')) {
  // Announces each piece of work before it begins (intent) and after it was acknowledged (done).
  const who = Number(flags.get('writer')),
    kind = flags.get('kind'),
    dir = flags.get('dir'),
    round = Number(flags.get('round'))
  const r = rng(seed * 77 + who * 1013 + round * 31),
    store = open(kind, dir)
  let n = round * 1000

  const live = {}
  for (;;) {
    const id = flags.get('shared') === 'true' && r.int(3) === 0 ? 'shared' : `own${who}`
    const what = r.pick([
      'append',
      'append',
      'append',
      'step',
      'big',
      'compact',
      'prune',
      'pin',
      'unpin',
      'undo',
      'redact',
      'redact',
      'fork',
      'delete',
      'rewind',
      'search',
    ])
    n++
    try {
      if (what === 'append') {
        const m = [0, 1, 2].slice(r.int(3)).map((k) => marker(who, n * 4 + k))
        send({ intent: 'append', id, m })
        const es = await store.append(
          id,
          m.map((x) => user(`Text ${x} and ${r.text(r.int(300))}`)),
        )
        send({ done: 'append', id, m, seqs: es.map((e) => e.seq) })
        ;(live[id] ??= []).push(...m)
      } else if (what === 'step') {
        const m = [marker(who, n * 4)]
        send({ intent: 'append', id, m })
        const es = await store.append(id, step(`out ${m[0]} ${r.text(2000)}`, `c${who}-${n}`))
        send({ done: 'append', id, m, seqs: es.slice(1).map((e) => e.seq) })
      } else if (what === 'big') {
        const m = Array.from({ length: 12 }, (_, k) => marker(who, n * 40 + 500000 + k))
        send({ intent: 'append', id, m })
        const es = await store.append(
          id,
          m.map((x) => user(`Big G${who}q${n}H ${x} ${r.text(6000)}`)),
        )
        send({ done: 'append', id, m, seqs: es.map((e) => e.seq) })
      } else if (what === 'redact') {
        const l = live[id] ?? []
        if (!l.length) continue
        const secret = l.splice(r.int(l.length), 1)[0]
        send({ intent: 'redact', id, secret })
        const s = await openSession({ store, id, window: { context: 30_000 } })
        const rep = await s.redact({ text: secret })
        send({ done: 'redact', id, secret, seqs: rep.seqs })
      } else if (what === 'fork') {
        const as = `fork${who}-${n}`
        send({ intent: 'fork', id, as })
        const k = await forkSession(store, id, as)
        send({ done: 'fork', id, as, newest: k })
      } else if (what === 'delete') {
        const f = (await store.sessions())
          .map((x) => x.id)
          .filter((x) => x.startsWith(`fork${who}-`))
        if (!f.length || r.int(2)) continue
        const as = r.pick(f)
        send({ intent: 'delete', id: as })
        await store.remove(as)
        send({ done: 'delete', id: as })
      } else if (what === 'search') {
        await store.search(id, { phrases: [['text']], match: 'any', limit: 5 })
      } else {
        const s = await openSession({ store, id, window: { context: 30_000 } })
        if (what === 'compact') {
          send({ intent: 'compact', id })
          const rep = await s.compact()
          send({ done: 'compact', id, action: rep.action, newest: s.context().seq })
        } else if (what === 'prune') {
          send({ intent: 'prune', id })
          const rep = await s.fit()
          send({ done: 'prune', id, action: rep.action })
        } else if (what === 'pin') {
          const t = marker(who, n * 4)
          send({ intent: 'pin', id, m: [t] })
          const seq = await s.pin(`Keep ${t}`)
          send({ done: 'pin', id, m: [t], seqs: [seq] })
        } else if (what === 'unpin') {
          const p = [...s.context().pins.keys()]
          if (!p.length) continue
          const k = r.pick(p)
          send({ intent: 'unpin', id })
          await s.unpin(k)
          send({ done: 'unpin', id, pin: k })
        } else if (what === 'undo') {
          send({ intent: 'undo', id })
          const e = await s.undo()
          send({ done: 'undo', id, seq: e.seq })
        } else if (what === 'rewind') {
          if (r.int(6)) continue
          const k = (await s.log()).length
          if (k < 6) continue
          send({ intent: 'rewind', id })
          await s.rewind(k - 1)
          send({ done: 'rewind', id })
        }
      }
    } catch (e) {
      send({
        failed: what,
        id,
        code: e?.code ?? String(e),
        message: String(e?.message ?? e).slice(0, 200),
      })
    }
  }
} else await parent()

async function parent() {
  const F = new Findings(),
    start = Date.now(),
    limit = size === 'long' ? 170_000 : 18_000
  let kills = 0
  for (let trial = 0; Date.now() - start < limit; trial++) {
    const r = rng(seed * 999 + trial),
      kind = flags.get('kind') ?? r.pick(['sqlite', 'sqlite', 'jsonl']),
      n = 1 + r.int(8),
      shared = r.int(2) === 0
    const dir = tempdir(`killed-${trial}`),
      sd = `${seed}/${trial}/${kind}/${n}`
    const K = {
      acked: new Map(),
      redacted: new Map(),
      maybe: new Map(),
      tryRedact: new Map(),
      forks: new Map(),
      deleted: new Set(),
      tryDelete: new Set(),
      tryFork: new Set(),
    }
    const of = (m, k, make) => {
      let v = m.get(k)
      if (!v) m.set(k, (v = make()))
      return v
    }
    let snapshot = new Map()
    const rounds = 3 + r.int(4)
    for (let round = 0; round < rounds && Date.now() - start < limit; round++) {
      const cs = []
      const ends = []
      for (let w = 0; w < n; w++) {
        const c = startedAgain(
          { seed, size, writer: w, kind, dir, round: trial * 10 + round, shared },
          ['pipe', 'pipe'],
        )
        cs.push(c)
        let buf = '',
          err = ''
        c.stderr.on('data', (x) => {
          err = (err + x).slice(0, 2000)
        })
        c.stdout.on('data', (x) => {
          buf += x
          let i
          while ((i = buf.indexOf('\n')) >= 0) {
            let o
            try {
              o = JSON.parse(buf.slice(0, i))
            } catch {
              buf = buf.slice(i + 1)
              continue
            }
            buf = buf.slice(i + 1)
            if (o.intent === 'append' || o.intent === 'pin')
              for (const m of o.m) of(K.maybe, o.id, () => new Set()).add(m)
            if (o.intent === 'redact') of(K.tryRedact, o.id, () => new Set()).add(o.secret)
            if (o.intent === 'delete') K.tryDelete.add(o.id)
            if (o.intent === 'fork') K.tryFork.add(o.as)
            if (o.done) F.count(`acknowledged ${o.done}`)
            if (o.done === 'append' || o.done === 'pin')
              o.m.forEach((m, k) => of(K.acked, o.id, () => new Map()).set(m, o.seqs[k]))
            if (o.done === 'redact') of(K.redacted, o.id, () => new Set()).add(o.secret)
            if (o.done === 'fork') K.forks.set(o.as, o.newest)
            if (o.done === 'delete') {
              K.deleted.add(o.id)
              K.forks.delete(o.id)
            }
            if (o.failed) {
              F.count(`refused ${o.code}`)
              if (
                !/^(STORE_CONFLICT|NOTHING_TO_UNDO|PIN_NOT_FOUND|SESSION_NOT_FOUND|PIN_BUDGET|SESSION_REMOVED|CONTEXT_FLOOR|REDACTION)$/.test(
                  o.code,
                )
              )
                F.broken(
                  o.code === 'STORE_FAILED'
                    ? 'a writer was refused: store failed'
                    : 'foreign error',
                  sd,
                  `${o.failed} ${o.id} ${o.code} ${o.message}`,
                )
            }
          }
        })
        ends.push(
          new Promise((d) =>
            c.on('close', (code, sig) => {
              if (sig !== 'SIGKILL')
                F.broken('a writer ended by itself', sd, `${code} ${sig} ${err.slice(0, 300)}`)
              d()
            }),
          ),
        )
      }
      // kill them one after the other or all at once
      await new Promise((d) => setTimeout(d, 250 + r.int(1400)))
      const atOnce = r.int(2) === 0
      for (const c of cs) {
        c.kill('SIGKILL')
        kills++
        if (!atOnce) await new Promise((d) => setTimeout(d, r.int(120)))
      }
      await Promise.all(ends)
      // look, in this process, which has not had the store open
      const st = open(kind, dir)
      try {
        const listed = new Map((await st.sessions()).map((s) => [s.id, s.newest]))
        for (const [id] of K.acked)
          if (!listed.has(id)) F.broken('acknowledged session lost', sd, id)
        for (const id of K.deleted)
          if (listed.has(id)) F.broken('a deleted session is back', sd, id)
        for (const [as, newest] of K.forks)
          if (!K.tryDelete.has(as) && listed.get(as) !== newest)
            F.broken(
              'acknowledged fork lost or incomplete',
              sd,
              `${as} ${listed.get(as)} of ${newest}`,
            )
        for (const [id, newest] of listed) {
          const es = await st.read(id)
          F.count('sessions read')
          if (es.length !== newest || es.some((e, k) => e.seq !== k + 1))
            F.broken('seqs have holes', sd, `${id} ${es.length} of ${newest}`)
          const text = es.map((e) => JSON.stringify(e))
          const all = text.join('\n')
          for (const [m, seq] of K.acked.get(id) ?? []) {
            const gone = K.redacted.get(id)?.has(m),
              trying = K.tryRedact.get(id)?.has(m)
            if (gone) {
              if (all.includes(m)) F.broken('redacted text is back', sd, `${id} ${m}`)
              continue
            }
            if (trying) {
              continue
            }
            if (!text[seq - 1]?.includes(m))
              F.broken('acknowledged entry lost', sd, `${id} ${m} at ${seq}`)
            F.count('acknowledged entries found')
          }
          // all or nothing of a "big" append, and of a step
          const bigs = new Map()
          for (const e of es)
            if (e.kind === 'message' && e.message.role === 'user') {
              const g = /^Big (G\d+q\d+H)/.exec(String(e.message.content))
              if (g) bigs.set(g[1], (bigs.get(g[1]) ?? 0) + 1)
            }
          const calls = es.filter((e) => JSON.stringify(e).includes('"tool-call"')).length,
            results = es.filter((e) => JSON.stringify(e).includes('"tool-result"')).length
          if (calls !== results)
            F.broken('half a step', sd, `${id} ${calls} calls ${results} results`)
          for (const [k, c] of bigs)
            if (c !== 12 && !id.startsWith('fork'))
              F.broken('half an append', sd, `${id} ${k}: ${c} of 12`)
          // what was there at the last look is still the same, but for redactions
          const was = snapshot.get(id)
          if (was && !K.tryDelete.has(id)) {
            was.forEach((t, k) => {
              if (text[k] !== t && ![...(K.tryRedact.get(id) ?? [])].some((m) => t.includes(m)))
                F.broken(
                  'an old entry has changed',
                  sd,
                  `${id} ${k + 1}: ${t.slice(0, 100)} -> ${text[k]?.slice(0, 100)}`,
                )
            })
          }
          snapshot.set(id, text)
          // half-done redaction: the secret is in all of its places or in none
          for (const m of K.tryRedact.get(id) ?? []) {
            const noted = es.some(
              (e) => e.kind === 'observation' && e.observation.type === 'redaction',
            )
            if (!all.includes(m) && !noted && K.acked.get(id)?.has(m))
              F.broken('redacted without a note', sd, `${id} ${m}`)
          }
          try {
            const s = await openSession({ store: st, id, window: { context: 30_000 } })
            s.messages()
            await s.history()
            await s.close()
          } catch (e) {
            F.broken('the session does not open', sd, `${id} ${e.code} ${e.message}`)
          }
        }
        // bytes of redacted texts which no session holds (forks have copies)
        const held = [...snapshot.values()].map((t) => t.join('\n')).join('\n')
        const needles = [...K.redacted.values()]
          .flatMap((x) => [...x])
          .filter((m) => !held.includes(m))
        st.close?.()
        for (const f of allFiles(dir)) {
          const b = fs.readFileSync(f)
          for (const m of needles) {
            F.count('raw searches')
            if (b.includes(m))
              F.broken(
                'bytes of a redacted text stay',
                sd,
                `${path.basename(f)} ${m} round ${round}`,
              )
          }
        }
        for (const id of K.deleted)
          for (const f of allFiles(dir))
            // Names stand as JSON; a shorter one is a part of others.
            if (fs.readFileSync(f).includes(`"${id}"`))
              F.broken('the name of a deleted session stays', sd, `${path.basename(f)} ${id}`)
      } catch (e) {
        F.broken(
          'the store cannot be read after a kill',
          sd,
          `${e.code} ${e.message} ${e.stack?.split('\n')[1]}`,
        )
      } finally {
        st.close?.()
      }
      for (const f of allFiles(dir))
        if (!/\.(db|db-wal|db-shm|db-spare|jsonl)$|lock/.test(f))
          F.count(
            `left file ${path
              .basename(f)
              .replace(/[0-9a-f]{8,}/g, '#')
              .replace(/\d+/g, 'N')}`,
          )
      if (kind === 'jsonl') {
        const id0 = [...snapshot.keys()].length
        const files = allFiles(dir).filter((f) => f.endsWith('.jsonl')).length
        if (files > id0) F.count('jsonl files beyond the sessions', files - id0)
      }
    }
    F.count('trials')
    fs.rmSync(dir, { recursive: true, force: true })
  }
  F.end({ kills, seconds: Math.round((Date.now() - start) / 1000) })
}
