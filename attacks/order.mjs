// order.mjs SEED SIZE: eight processes on one session at once. Their answers must be those of some order, one
// after the other, that agrees with the times at which they asked and were answered; undo is compare-and-swap.
import { openSession, forkSession } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { jsonLinesStore } from 'throughline/stores'
import fs from 'node:fs'
import path from 'node:path'
import { rng, args, Findings, tempdir, startedAgain } from './lib.mjs'
const { seed, size, flags } = args()
const open = (kind, dir) =>
  kind === 'sqlite'
    ? sqliteStore({ file: path.join(dir, 's.db'), busyTimeout: 20_000 })
    : jsonLinesStore({ directory: path.join(dir, 'j'), busyTimeout: 20_000 })
const user = (t) => ({
  kind: 'message',
  at: Date.now(),
  origin: 'human',
  message: { role: 'user', content: t },
})
const now = () => Number(process.hrtime.bigint() / 1000n)

if (flags.has('worker')) {
  const who = Number(flags.get('worker')),
    kind = flags.get('kind'),
    dir = flags.get('dir'),
    n = Number(flags.get('n')),
    trial = Number(flags.get('trial'))
  const r = rng(seed * 131 + trial * 17 + who),
    store = open(kind, dir),
    out = [],
    mine = []
  const s = await openSession({ store, id: 's', window: { context: 30_000 } })
  fs.writeFileSync(path.join(dir, `ready${who}`), '')
  while (!fs.existsSync(path.join(dir, 'go'))) await new Promise((d) => setTimeout(d, 5))
  for (let i = 0; i < n; i++) {
    const op = r.pick([
      'append',
      'append',
      'say',
      'after',
      'pin',
      'unpin',
      'undo',
      'undo',
      'compact',
      'compact',
      'compact',
      'redact',
      'fork',
      'read',
      'read',
      'newest',
      'search',
      'sessions',
      'unpin',
    ])
    const m = `W${who}N${i}T${r.text(6)}`
    let call, arg
    if (op === 'append') {
      arg = [m, m + 'b'].slice(r.int(2))
      call = async () => (await store.append('s', arg.map(user))).map((e) => e.seq)
    } else if (op === 'say') {
      arg = [m]
      call = async () => (await s.say(`${m} ${r.text(120)}`)).map((e) => e.seq)
    } else if (op === 'after') {
      arg = { base: s.context().seq - r.int(2), m }
      call = async () => (await s.appendAfter(arg.base, user(m))).map((e) => e.seq)
    } else if (op === 'pin') {
      arg = m
      call = () => s.pin(`Keep ${m}`)
    } else if (op === 'unpin') {
      const p = [...s.context().pins.keys()]
      if (!p.length) continue
      arg = r.pick(p)
      call = async () => {
        await s.unpin(arg)
      }
    } else if (op === 'undo')
      call = async () => {
        const e = await s.undo()
        return e.seq
      }
    else if (op === 'compact') call = async () => (await s.compact()).action
    else if (op === 'redact') {
      if (!mine.length) continue
      arg = mine.splice(r.int(mine.length), 1)[0]
      call = async () => (await s.redact({ text: arg })).seqs
    } else if (op === 'fork') {
      arg = `f${who}-${i}`
      call = () => forkSession(store, 's', arg)
    } else if (op === 'read')
      call = async () => {
        const es = await store.read('s')
        return { n: es.length, hash: es.map((e) => brief(e)) }
      }
    else if (op === 'newest') call = async () => (await store.read('s', { newest: 1 }))[0]?.seq
    else if (op === 'search') {
      if (!mine.length) continue
      arg = r.pick(mine)
      call = async () =>
        store.search('s', { phrases: [[arg.toLowerCase()]], match: 'all', limit: 50 })
    } else call = async () => (await store.sessions()).find((x) => x.id === 's')?.newest
    const o = { who, op, arg, t0: now(), t1: 0 }
    try {
      o.ok = (await call()) ?? null
    } catch (e) {
      o.err = e?.code ?? e?.name
      o.message = String(e?.message).slice(0, 160)
    }
    o.t1 = now()
    out.push(o)
    if (o.ok && (op === 'append' || op === 'say')) mine.push(...arg)
  }
  await s.close()
  store.close?.()
  fs.writeFileSync(path.join(dir, `out${who}.json`), JSON.stringify(out))
  process.exit(0)
} else await parent()
function brief(e) {
  return e.kind === 'message'
    ? `m ${e.message.role} ${typeof e.message.content === 'string' ? e.message.content.slice(0, 20) : 'parts'}`
    : e.kind === 'pin'
      ? `p ${e.text}`
      : e.kind === 'unpin'
        ? `u ${e.pin}`
        : e.kind === 'rewind'
          ? `r ${e.to} ${e.resume}`
          : e.kind === 'checkpoint'
            ? `c ${e.base}`
            : e.kind === 'prune'
              ? `x ${e.base}`
              : 'o'
}
async function parent() {
  const F = new Findings(),
    start = Date.now(),
    limit = size === 'long' ? 165_000 : 14_000
  for (let trial = 0; Date.now() - start < limit; trial++) {
    const kind = flags.get('kind') ?? (trial % 2 ? 'jsonl' : 'sqlite'),
      dir = tempdir(`order-${trial}`),
      sd = `${seed}/${trial}/${kind}`,
      P = 8,
      n = 25
    const st = open(kind, dir)
    for (let i = 0; i < 6; i++)
      await st.append('s', [
        user(`Start ${i} ${'words '.repeat(60)}`),
        {
          kind: 'message',
          at: 1,
          origin: 'model',
          finish: 'stop',
          message: { role: 'assistant', content: `Answer ${i} ${'text '.repeat(60)}` },
        },
      ])
    const base = 12
    const ends = Array.from(
      { length: P },
      (_, w) =>
        new Promise((d) => {
          const c = startedAgain({ seed, size, worker: w, kind, dir, n, trial }, ['ignore', 'pipe'])
          let err = ''
          c.stderr.on('data', (x) => {
            err += x
          })
          const t = setTimeout(() => {
            F.broken('a process did not end in 90 s', sd, `worker ${w}`)
            c.kill('SIGKILL')
          }, 90_000)
          c.on('close', (code) => {
            clearTimeout(t)
            if (code !== 0)
              F.broken('a process ended with an error', sd, `${code} ${err.slice(0, 300)}`)
            d()
          })
        }),
    )
    while (
      fs.readdirSync(dir).filter((f) => f.startsWith('ready')).length < P &&
      Date.now() - start < limit + 30_000
    )
      await new Promise((d) => setTimeout(d, 10))
    fs.writeFileSync(path.join(dir, 'go'), '')
    await Promise.all(ends)
    const ops = []
    for (let w = 0; w < P; w++)
      try {
        ops.push(...JSON.parse(fs.readFileSync(path.join(dir, `out${w}.json`), 'utf8')))
      } catch {}
    const log = await st.read('s')
    F.count('operations', ops.length)
    F.count('histories')
    F.count('entries', log.length)
    const N = log.length,
      texts = log.map((e) => JSON.stringify(e)),
      briefs = log.map(brief)
    log.forEach((e, k) => {
      if (e.seq !== k + 1) F.broken('seqs have holes', sd, `${e.seq} at ${k + 1}`)
    })
    const bad = (p, d) => F.broken(p, sd, d)
    for (const o of ops) {
      F.count(`${o.op} ${o.err ?? 'ok'}`)
      if (o.err && !/^(STORE_CONFLICT|NOTHING_TO_UNDO|PIN_NOT_FOUND|PIN_BUDGET)$/.test(o.err))
        bad('foreign or odd error', `${o.op} ${o.err} ${o.message}`)
    }
    // who wrote which entry, and the window of each entry's birth
    const from = Array.from({ length: N + 1 }).fill(-Infinity),
      until = Array.from({ length: N + 1 }).fill(Infinity),
      owner = new Map()
    const give = (seq, o) => {
      if (owner.has(seq)) bad('two writers got one seq', `${seq}`)
      owner.set(seq, o)
      from[seq] = o.t0
      until[seq] = o.t1
    }
    const redacted = new Set(ops.filter((o) => o.op === 'redact').map((o) => o.arg))
    for (const o of ops) {
      if (o.err) {
        const ms =
          o.op === 'append' || o.op === 'say'
            ? o.arg
            : o.op === 'after'
              ? [o.arg.m]
              : o.op === 'pin'
                ? [o.arg]
                : []
        for (const m of ms)
          if (texts.some((t) => t.includes(`${m}"`) || t.includes(`${m} `)))
            bad('refused, and yet written', `${o.op} ${m} ${o.err}`)
        continue
      }
      if (o.op === 'append' || o.op === 'say')
        o.arg.forEach((m, k) => {
          const seq = o.ok[k]
          give(seq, o)
          if (![...redacted].some((x) => m.startsWith(x)) && !texts[seq - 1]?.includes(m))
            bad('acknowledged under another seq', `${m} ${seq} ${texts[seq - 1]?.slice(0, 100)}`)
          if (k && seq !== o.ok[k - 1] + 1) bad('an append is torn apart', `${o.ok}`)
        })
      if (o.op === 'after') {
        give(o.ok[0], o)
        if (o.ok[0] !== o.arg.base + 1)
          bad('appendAfter is no compare-and-swap', `after ${o.arg.base} at ${o.ok[0]}`)
      }
      if (o.op === 'pin') {
        give(o.ok, o)
        if (log[o.ok - 1]?.kind !== 'pin' || !texts[o.ok - 1].includes(o.arg))
          bad('pin under another seq', `${o.ok}`)
      }
    }
    // the state behind each prefix
    const active = [[]],
      pins = [new Set()]
    for (const e of log) {
      const a = active[e.seq - 1]
      active[e.seq] =
        e.kind === 'rewind'
          ? [...active[e.to], ...(e.resume === undefined ? [] : a.filter((x) => x >= e.resume))]
          : [...a, e.seq]
      const p = new Set(pins[e.seq - 1])
      if (e.kind === 'pin') p.add(e.seq)
      if (e.kind === 'unpin') {
        if (!p.has(e.pin)) bad('a pin is taken back twice in the log', `unpin ${e.seq} of ${e.pin}`)
        p.delete(e.pin)
      }
      pins[e.seq] = p
    }
    const newestCompaction = (k) =>
      active[k].findLast((x) => log[x - 1].kind === 'checkpoint' || log[x - 1].kind === 'prune')
    // undo: at its own entry the newest compaction in force is the one that it returned
    const rewinds = log.filter((e) => e.kind === 'rewind')
    for (const e of rewinds) {
      const c = newestCompaction(e.seq - 1)
      F.count('rewinds')
      if (e.to + 1 !== c || e.resume !== c + 1)
        bad(
          'an undo that does not undo the newest compaction',
          `rewind ${e.seq} to ${e.to} resume ${e.resume}; newest ${c}`,
        )
    }
    const undos = ops.filter((o) => o.op === 'undo' && !o.err)
    if (undos.length !== rewinds.length)
      bad('undos answered and undos in the log differ', `${undos.length} ${rewinds.length}`)
    const free = new Set(rewinds.map((e) => e.seq))
    for (const o of undos) {
      const e = rewinds.find((x) => free.has(x.seq) && x.to + 1 === o.ok)
      if (!e) bad('two undos undid the same compaction, or none did', `${o.ok}`)
      else {
        free.delete(e.seq)
        give(e.seq, o)
      }
    }
    const unpins = new Map(log.filter((e) => e.kind === 'unpin').map((e) => [e.pin, e.seq]))
    const un = new Map()
    for (const o of ops)
      if (o.op === 'unpin' && !o.err) {
        if (un.has(o.arg)) bad('one pin was taken back by two', `${o.arg}`)
        un.set(o.arg, o)
        const q = unpins.get(o.arg)
        if (q === undefined) bad('unpin without an entry', `${o.arg}`)
        else give(q, o)
      }
    // real time: an entry is born inside of its operation; later seqs are not born before earlier ones
    let lo = -Infinity
    for (let k = 1; k <= N; k++) {
      lo = Math.max(lo, from[k])
      if (until[k] < lo) {
        bad('an order against time', `entry ${k} was acknowledged before an earlier one was begun`)
        break
      }
    }
    const born = Array.from({ length: N + 2 }).fill(-Infinity),
      dead = Array.from({ length: N + 2 }).fill(Infinity) // born: not before; dead: not after
    for (let k = 1; k <= N; k++) born[k] = Math.max(born[k - 1], from[k])
    for (let k = N; k >= 1; k--) dead[k] = Math.min(dead[k + 1], until[k])
    const least = (t) => {
      let k = base
      while (k < N && dead[k + 1] < t) k++
      return k
    } // all these were surely there at t
    const most = (t) => {
      let k = base
      while (k < N && born[k + 1] < t) k++
      return k
    } // no more than these
    for (const o of ops) {
      const a = least(o.t0),
        b = most(o.t1)
      if (o.op === 'newest' || o.op === 'sessions') {
        if (o.ok < a || o.ok > b) bad(`${o.op} of no moment`, `${o.ok} not in ${a}…${b}`)
      }
      if (o.op === 'fork' && !o.err) {
        if (o.ok < a || o.ok > b) bad('fork of no moment', `${o.ok} not in ${a}…${b}`)
        const f = await st.read(o.arg)
        if (f.length < o.ok) bad('fork is not whole', `${f.length} of ${o.ok}`)
        f.slice(0, o.ok).forEach((e, k) => {
          if (brief(e) !== briefs[k] && !/redact|T|W/.test(brief(e) + briefs[k]))
            bad('fork differs', `${k + 1} ${brief(e)} ${briefs[k]}`)
        })
      }
      if (o.op === 'read' && !o.err) {
        if (o.ok.n < a || o.ok.n > b) bad('read of no moment', `${o.ok.n} not in ${a}…${b}`)
        o.ok.hash.forEach((x, k) => {
          if (x !== briefs[k] && !briefs[k].includes('[redacted]'))
            bad('read gives what the log does not', `${k + 1} ${x} ${briefs[k]}`)
        })
        for (const q of ops)
          if (
            q.op === 'redact' &&
            !q.err &&
            q.t1 < o.t0 &&
            o.ok.hash.some((x) => x.includes(q.arg.slice(0, 20)))
          )
            bad('a redacted text is read afterwards', `${q.arg}`)
      }
      if (o.op === 'undo' && o.err === 'NOTHING_TO_UNDO') {
        let fine = false
        for (let k = a; k <= b; k++) if (newestCompaction(k) === undefined) fine = true
        if (!fine) bad('nothing to undo, though there always was', `${a}…${b}`)
      }
      if (o.op === 'unpin' && o.err === 'PIN_NOT_FOUND') {
        let fine = false
        for (let k = a; k <= b; k++) if (!pins[k].has(o.arg)) fine = true
        if (!fine) bad('a pin was not found, though it always was there', `${o.arg}`)
      }
      if (o.op === 'search' && !o.err) {
        const q = ops.find((x) => (x.op === 'append' || x.op === 'say') && x.arg.includes(o.arg))
        const seq = q.ok[q.arg.indexOf(o.arg)]
        if (![...redacted].some((x) => o.arg.startsWith(x)) && !o.ok.includes(seq))
          bad('search misses what was acknowledged', `${o.arg} ${seq} ${o.ok}`)
      }
      if (o.op === 'redact' && !o.err) {
        if (texts.some((t) => t.includes(`${o.arg}"`) || t.includes(`${o.arg} `)))
          bad('redacted text is still in the log', `${o.arg}`)
      }
    }
    st.close?.()
    fs.rmSync(dir, { recursive: true, force: true })
  }
  F.end({ seconds: Math.round((Date.now() - start) / 1000) })
}
