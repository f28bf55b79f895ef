// damaged.mjs SEED SIZE: flips, cuts, fills, swaps and doubles bytes, pages and lines of both stores' files, of
// exported sessions and of session files of every format. Each read is right or ends with an error of the
// package that names the file; never other content, a foreign error, a hang (10 s) or more than 1 GB.
import { openSession, memoryStore } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { jsonLinesStore } from 'throughline/stores'
import {
  exportSession,
  readSession,
  importSession,
  harnesses,
  apiWriters,
  writtenSession,
} from 'throughline/formats'
import fs from 'node:fs'
import path from 'node:path'
import { rng, args, Findings, tempdir, allFiles, root, startedAgain } from './lib.mjs'
const { seed, size, flags } = args()
const corpus = path.join(root, '../shared/corpus')

const msg = (r, i) =>
  i % 4 === 0
    ? {
        kind: 'message',
        at: 1000 + i,
        origin: 'human',
        message: {
          role: 'user',
          content: `Request ${i}: never touch ${r.text(8)}. ${r.text(r.int(80))}`,
        },
      }
    : i % 4 === 1
      ? {
          kind: 'message',
          at: 1000 + i,
          origin: 'model',
          finish: 'tool-calls',
          message: {
            role: 'assistant',
            content: [
              {
                type: 'tool-call',
                toolCallId: `c${i}`,
                toolName: 'bash',
                input: { command: `cat ${r.text(6)}.ts` },
              },
            ],
          },
        }
      : i % 4 === 2
        ? {
            kind: 'message',
            at: 1000 + i,
            origin: 'tool',
            message: {
              role: 'tool',
              content: [
                {
                  type: 'tool-result',
                  toolCallId: `c${i - 1}`,
                  toolName: 'bash',
                  output: { type: 'text', value: r.text(r.int(r.int(20) === 0 ? 9000 : 600)) },
                },
              ],
            },
          }
        : {
            kind: 'message',
            at: 1000 + i,
            origin: 'model',
            finish: 'stop',
            message: { role: 'assistant', content: `Done ${i}. ${r.text(60)}` },
          }
async function fill(store, r, sessions = ['alpha', 'beta', 'gamma']) {
  for (let k = 0; k < 24; k++)
    for (const id of sessions) await store.append(id, [msg(r, k * 2), msg(r, k * 2 + 1)])
  const s = await openSession({ store, id: sessions[0], window: { context: 20_000 } })
  await s.compact()
  await s.pin('The release is on Friday.')
  await store.search('alpha', { phrases: [['never']], match: 'all', limit: 10 })
  await store.search('beta', { phrases: [['never']], match: 'all', limit: 10 })
}
function damage(b, r, page) {
  const n = b.length
  const how = r.pick([
    'flip',
    'flip',
    'flip',
    'flip3',
    'cut',
    'cuthead',
    'fill0',
    'fillff',
    'fillrandom',
    'swap',
    'double',
    'insert',
    'drop',
    'append',
    'moved',
  ])
  const c = Buffer.from(b)
  const at = r.int(Math.max(1, n))
  const len = 1 + r.int(Math.min(n, r.pick([1, 16, page, page * 2])))
  switch (how) {
    case 'flip':
      c[at] ^= 1 << r.int(8)
      return [`flip ${at}`, c]
    case 'flip3':
      for (let i = 0; i < 3; i++) c[r.int(n)] ^= 1 << r.int(8)
      return ['flip3', c]
    case 'cut':
      return [`cut ${at}`, c.subarray(0, at)]
    case 'cuthead':
      return [`cuthead ${at}`, c.subarray(at)]
    case 'fill0':
      c.fill(0, at, Math.min(n, at + len))
      return [`fill0 ${at}+${len}`, c]
    case 'fillff':
      c.fill(0xff, at, Math.min(n, at + len))
      return [`fillff ${at}+${len}`, c]
    case 'fillrandom':
      for (let i = at; i < Math.min(n, at + len); i++) c[i] = r.int(256)
      return [`fillrandom ${at}+${len}`, c]
    case 'swap': {
      const k = Math.max(1, Math.floor(n / page))
      const p = r.int(k) * page,
        q = r.int(k) * page
      const t = Buffer.from(c.subarray(p, p + page))
      c.copy(c, p, q, q + page)
      t.copy(c, q)
      return [`swap ${p} ${q}`, c]
    }
    case 'double': {
      const k = Math.max(1, Math.floor(n / page))
      const p = r.int(k) * page,
        q = r.int(k) * page
      b.copy(c, p, q, Math.min(n, q + page))
      return [`copy ${q}->${p}`, c]
    }
    case 'insert':
      return [
        `insert ${at}+${len}`,
        Buffer.concat([c.subarray(0, at), Buffer.alloc(len, r.int(256)), c.subarray(at)]),
      ]
    case 'drop':
      return [`drop ${at}+${len}`, Buffer.concat([c.subarray(0, at), c.subarray(at + len)])]
    case 'append':
      return ['append', Buffer.concat([c, Buffer.from(r.text(len))])]
    default:
      return [`moved ${at}`, Buffer.concat([c.subarray(at), c.subarray(0, at)])]
  }
}
function damageLines(t, r, other) {
  if (r.int(3) === 0) {
    const [h, b] = damage(t, r, 512)
    return [h, b, false]
  }
  const lines = t.toString('latin1').split('\n')
  const k = lines.length
  const i = r.int(k),
    j = r.int(k)
  const how = r.pick([
    'swaplines',
    'doubleline',
    'dropline',
    'joinlines',
    'halfline',
    'splitline',
    'reverse',
    'garbage',
    'otherline',
    'nulline',
    'crlf',
    'doubleall',
    'bom',
    'u16',
    'deepline',
    'wrongtypes',
  ])
  switch (how) {
    case 'swaplines':
      ;[lines[i], lines[j]] = [lines[j], lines[i]]
      break
    case 'doubleline':
      lines.splice(i, 0, lines[i])
      break
    case 'dropline':
      lines.splice(i, 1)
      break
    case 'joinlines':
      lines.splice(i, 2, (lines[i] ?? '') + (lines[i + 1] ?? ''))
      break
    case 'halfline':
      lines[i] = lines[i].slice(0, r.int(lines[i].length + 1))
      break
    case 'splitline': {
      const c = r.int(lines[i].length + 1)
      lines.splice(i, 1, lines[i].slice(0, c), lines[i].slice(c))
      break
    }
    case 'reverse':
      lines.reverse()
      break
    case 'garbage':
      lines.splice(i, 0, r.text(50, '{}[]",:\\\x00\xff1e'))
      break
    case 'otherline': {
      const o = (other ?? t).toString('latin1').split('\n')
      lines[i] = o[r.int(o.length)]
      break
    }
    case 'nulline':
      lines[i] = r.pick([
        'null',
        '1',
        '"x"',
        '[]',
        '{}',
        'true',
        '{"__proto__":{"a":1}}',
        '{"constructor":1}',
      ])
      break
    case 'crlf':
      return ['crlf', Buffer.from(lines.join('\r\n'), 'latin1'), true]
    case 'doubleall':
      return ['doubleall', Buffer.concat([t, t]), true]
    case 'bom':
      return ['bom', Buffer.concat([Buffer.from('efbbbf', 'hex'), t]), true]
    case 'u16':
      return ['u16', Buffer.from(t.toString('utf8'), 'utf16le'), true]
    case 'deepline':
      lines.splice(i, 0, '{"a":'.repeat(20000) + '1' + '}'.repeat(20000))
      break
    case 'wrongtypes':
      try {
        const o = JSON.parse(Buffer.from(lines[i], 'latin1').toString())
        const walk = (x, d) => {
          if (!x || typeof x !== 'object') return
          for (const key of Object.keys(x)) {
            if (r.int(6) === 0)
              x[key] = r.pick([
                null,
                1,
                -1,
                1e308,
                'x',
                [],
                {},
                true,
                [null],
                { type: 'text' },
                'NaN',
                '',
              ])
            else if (d < 8) walk(x[key], d + 1)
          }
        }
        walk(o, 0)
        lines[i] = Buffer.from(JSON.stringify(o)).toString('latin1')
      } catch {}
      break
  }
  return [`${how} ${i} ${j}`, Buffer.from(lines.join('\n'), 'latin1'), true]
}
const own = (e) =>
  typeof e?.code === 'string' &&
  /^[A-Z_]+$/.test(e.code) &&
  Object.prototype.hasOwnProperty.call(e, 'code') &&
  typeof e?.constructor?.code === 'string' &&
  e.constructor.code === e.code
const clone = (x) => JSON.stringify(x)

if (flags.has('worker')) await worker()
else await parent()

async function worker() {
  const kind = flags.get('worker'),
    from = Number(flags.get('from')),
    until = Number(flags.get('until'))
  const send = (o) => fs.writeSync(1, JSON.stringify(o) + '\n')
  const d = tempdir('damaged')
  const r0 = rng(seed)
  let pristine
  const ids = ['alpha', 'beta', 'gamma']
  const truth = new Map()
  let searchTruth = ''
  const others = []
  if (kind === 'sqlite' || kind === 'wal') {
    const f = path.join(d, 'o.db')
    const st = sqliteStore({ file: f })
    await fill(st, r0, ids)
    if (kind === 'sqlite') st.close()
    pristine = {
      db: fs.readFileSync(f),
      wal: fs.existsSync(f + '-wal') ? fs.readFileSync(f + '-wal') : undefined,
    }
    if (kind === 'wal') st.close()
    const g = path.join(d, 'p.db')
    fs.writeFileSync(g, pristine.db)
    if (pristine.wal) fs.writeFileSync(g + '-wal', pristine.wal)
    const st2 = sqliteStore({ file: g })
    for (const id of ids) truth.set(id, (await st2.read(id)).map(clone))
    searchTruth = clone(
      await st2.search('alpha', { phrases: [['never']], match: 'all', limit: 50 }),
    )
    st2.close()
  } else if (kind === 'jsonl') {
    const st = jsonLinesStore({ directory: path.join(d, 'o') })
    await fill(st, r0, ids)
    for (const id of ids) truth.set(id, (await st.read(id)).map(clone))
    searchTruth = clone(await st.search('alpha', { phrases: [['never']], match: 'all', limit: 50 }))
    pristine = new Map(
      allFiles(path.join(d, 'o')).map((f) => [
        path.relative(path.join(d, 'o'), f),
        fs.readFileSync(f),
      ]),
    )
  } else if (kind === 'export') {
    const st = memoryStore()
    await fill(st, r0, ids)
    const out = []
    for await (const l of exportSession(st, 'alpha')) out.push(l)
    pristine = Buffer.from(out.join(''))
    truth.set('alpha', (await st.read('alpha')).map(clone))
    const o2 = []
    for await (const l of exportSession(st, 'beta')) o2.push(l)
    others.push(Buffer.from(o2.join('')))
  } else {
    const files = !fs.existsSync(corpus)
      ? []
      : allFiles(corpus)
          .filter((f) => !f.endsWith('.md') && fs.statSync(f).size < 4_300_000)
          .sort()
    const st = memoryStore()
    await fill(st, r0, ids)
    const log = (
      await readSession(
        (async function* () {
          for await (const l of exportSession(st, 'beta')) yield l
        })(),
      )
    ).log
    const w = writtenSession(log, { id: 'x', directory: '/tmp', model: 'claude-opus-4-5' })
    let c = 0
    const identity = {
      session: '0195d4a1-0000-7000-8000-000000000001',
      newId: () => `0195d4a1-0000-7000-8000-${String(++c).padStart(12, '0')}`,
      now: 1_790_000_000_000,
      directory: '/tmp',
    }
    pristine = files.map((f) => ({ name: path.relative(corpus, f), file: f }))
    for (const wr of [...harnesses.map((h) => h.writer), ...apiWriters]) {
      try {
        pristine.push({ name: `written ${wr.name}`, text: Buffer.from(wr.write(w, identity).text) })
      } catch (e) {
        send({ note: `writer ${wr.name}: ${e.message}` })
      }
    }
  }
  for (let i = from; i < until; i++) {
    const r = rng(seed * 100003 + i * 7 + kind.length)
    send({ case: i })
    const bad = (promise, detail) => send({ broken: promise, i, detail: detail.replaceAll(d, '…') })
    const wd = path.join(d, 'w')
    fs.rmSync(wd, { recursive: true, force: true })
    fs.mkdirSync(wd)
    const checkError = (e, what, file) => {
      if (!own(e))
        bad(
          'foreign error',
          `${what}: ${e?.name} ${e?.code} ${String(e?.message ?? e).slice(0, 200)} ${String(e?.stack).split('\n')[1] ?? ''}`,
        )
      else {
        send({ count: `error ${e.code}${e.failure ? ' ' + e.failure : ''}` })
        if (file && !String(e.message).includes(path.basename(file)))
          bad('error does not name the file', `${what}: ${e.code} ${e.message}`)
        if (String(e.message).length < 30) bad('error says not what to do', `${what}: ${e.message}`)
      }
    }
    if (kind === 'sqlite' || kind === 'wal' || kind === 'jsonl') {
      let open,
        what = '',
        file
      if (kind === 'jsonl') {
        const names = [...pristine.keys()].filter((x) => x.endsWith('.jsonl'))
        const victim = r.pick(names)
        const b = pristine.get(victim)
        let h, nb
        if (r.int(12) === 0) {
          const v2 = r.pick(names)
          h = `file of another session ${v2 === victim}`
          nb = pristine.get(v2)
        } else [h, nb] = damageLines(b, r, pristine.get(r.pick(names)))
        for (const [n2, c] of pristine) fs.writeFileSync(path.join(wd, n2), n2 === victim ? nb : c)
        what = `${kind} ${h}`
        file = victim
        open = () => jsonLinesStore({ directory: wd, busyTimeout: 300 })
        if (nb.equals(b)) continue
      } else {
        file = path.join(wd, 's.db')
        let db = pristine.db,
          wal = pristine.wal,
          h = ''
        if (kind === 'wal' && wal && r.int(4)) [h, wal] = damage(wal, r, 4120)
        else [h, db] = damage(db, r, 4096)
        if (kind === 'sqlite' && db.equals(pristine.db)) continue
        fs.writeFileSync(file, db)
        if (wal) fs.writeFileSync(file + '-wal', wal)
        what = `${kind} ${h}`
        open = () => sqliteStore({ file: file, busyTimeout: 300 })
      }
      let st
      try {
        st = open()
      } catch (e) {
        checkError(e, `${what} open`, kind === 'jsonl' ? undefined : file)
        continue
      }
      try {
        let listed
        try {
          listed = (await st.sessions()).map((x) => {
            const t = truth.get(x.id)
            if (!t) bad('a session that never was', `${what} ${JSON.stringify(x.id).slice(0, 80)}`)
            else if (x.newest > t.length)
              bad(
                'sessions() tells other figures',
                `${what} ${x.id} newest ${x.newest} of ${t.length}`,
              )
            return x.id
          })
        } catch (e) {
          checkError(e, `${what} sessions`)
        }
        for (const id of ids) {
          let es
          const t = truth.get(id)
          try {
            es = await st.read(id)
          } catch (e) {
            checkError(e, `${what} read ${id}`, kind === 'jsonl' ? undefined : file)
          }
          if (es) {
            const bads = es.findIndex((e, k) => clone(e) !== t[k])
            if (bads >= 0)
              bad(
                'read gives other content',
                `${what} ${id}: entry ${bads + 1} of ${es.length}: ${clone(es[bads]).slice(0, 120)} instead of ${t[bads]?.slice(0, 120)}`,
              )
            else if (es.length === 0 && listed?.includes(id))
              bad('a session that is listed reads as empty', `${what} ${id}`)
            else if (es.length === 0) {
              send({ count: 'session vanished whole' })
              if (kind !== 'wal' && listed && !what.includes('cut 0'))
                send({ gone: `${what} ${id} listed=${listed}` })
            } else if (es.length < t.length) {
              send({ count: 'shorter at the end' })
              send({ shorter: `${what} ${id}: ${es.length} of ${t.length}` })
            } else send({ count: 'read right' })
          }
          // partial reads
          for (const sel of [
            { after: 10, upTo: 14 },
            { newest: 3 },
            { seqs: [2, 20, 40] },
            { kinds: ['checkpoint', 'pin'] },
          ]) {
            try {
              const part = await st.read(id, sel)
              for (const e of part)
                if (clone(e) !== t[e.seq - 1])
                  bad(
                    'selected read gives other content',
                    `${what} ${id} ${clone(sel)} ${clone(e).slice(0, 120)}`,
                  )
              if (es && es.length === t.length) {
                const want = t
                  .map((x) => JSON.parse(x))
                  .filter(
                    (e) =>
                      (sel.after ? e.seq > sel.after && e.seq <= sel.upTo : true) &&
                      (sel.seqs ? sel.seqs.includes(e.seq) : true) &&
                      (sel.kinds ? sel.kinds.includes(e.kind) : true),
                  ).length
                if (!sel.newest && part.length !== want)
                  bad(
                    'selected read leaves entries out',
                    `${what} ${id} ${clone(sel)} ${part.length} of ${want}`,
                  )
              }
            } catch (e) {
              checkError(e, `${what} read ${id} ${clone(sel)}`)
            }
          }
          try {
            const s = await openSession({ store: st, id, window: { context: 20_000 } })
            s.messages()
            await s.history()
            await s.plan('manual')
          } catch (e) {
            checkError(e, `${what} openSession ${id}`)
          }
        }
        try {
          const got = clone(
            await st.search('alpha', { phrases: [['never']], match: 'all', limit: 50 }),
          )
          if (got !== searchTruth && kind === 'sqlite')
            bad(
              'a search leaves out what is stored, without an error',
              `${what}: ${got.slice(0, 80)}`,
            )
          else if (got !== searchTruth && kind !== 'wal')
            send({
              search: `${what}: ${got.slice(0, 100)} instead of ${searchTruth.slice(0, 100)}`,
            })
        } catch (e) {
          checkError(e, `${what} search`)
        }
        // And writing to it: right or an own error.
        try {
          await st.append('beta', [msg(r, 0)])
          const es = await st.read('beta')
          const t = truth.get('beta')
          const k = es.findIndex((e, q) => q < t.length && q < es.length - 1 && clone(e) !== t[q])
          if (k >= 0) bad('after an append other content', `${what} entry ${k + 1}`)
          else send({ count: 'append ok' })
          if (es.length <= t.length) send({ count: 'append over a lost end' })
        } catch (e) {
          checkError(e, `${what} append`)
        }
        try {
          await st.redact('gamma', {
            change: () => undefined,
            note: () => ({
              kind: 'observation',
              at: 1,
              observation: { type: 'note', name: 'n', data: 1 },
            }),
          })
        } catch (e) {
          checkError(e, `${what} redact`)
        }
      } finally {
        try {
          st.close?.()
        } catch (e) {
          checkError(e, `${what} close`)
        }
      }
    } else if (kind === 'export') {
      const [h, b] = damageLines(pristine, r, others[0])
      const what = `export ${h}`
      if (b.equals(pristine)) continue
      try {
        const read = await readSession([b])
        const t = truth.get('alpha')
        const got = read.log.map(clone)
        const same = got.length === t.length && got.every((x, k) => x === t[k])
        if (same) send({ count: 'read right' })
        else if (read.skippedCount || Object.keys(read.facts.omitted ?? {}).length)
          send({ count: 'reported' })
        else send({ silent: `${what}: ${got.length} of ${t.length} entries, nothing skipped` })
        try {
          const st = memoryStore()
          await importSession(st, read, { id: 'x' })
          const s = await openSession({ store: st, id: 'x', window: { context: 20_000 } })
          s.messages()
          await s.history()
          await s.compact()
        } catch (e) {
          checkError(e, `${what} import`)
        }
      } catch (e) {
        checkError(e, `${what} read`)
      }
    } else {
      const p = r.pick(pristine)
      const b0 = p.text ?? fs.readFileSync(p.file)
      const [h, b] = damageLines(b0, r)
      const what = `${p.name} ${h}`
      try {
        const read = await readSession([b])
        send({ count: `read ${read.skippedCount ? 'reported' : 'whole'}` })
        if (p.name.endsWith('jsonl')) {
          const broken = b
            .toString('utf8')
            .split('\n')
            .filter((l) => {
              l = l.replace(/^\ufeff/, '')
              if (!l.trim()) return false
              try {
                const v = JSON.parse(l)
                return !(v && typeof v === 'object')
              } catch {
                return true
              }
            }).length
          if (broken && !read.skippedCount)
            bad('a damaged line is not reported', `${what}: ${broken} lines`)
        }
        try {
          const st = memoryStore()
          await importSession(st, read, { id: 'x' })
          const s = await openSession({ store: st, id: 'x', window: { context: 200_000 } })
          s.messages()
          await s.history()
          if (r.int(4) === 0) await s.compact()
        } catch (e) {
          checkError(e, `${what} import`)
        }
      } catch (e) {
        checkError(e, `${what} read`)
      }
    }
    const rss = Number(
      /VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0,
    )
    if (rss > 1_000_000) {
      bad('more than 1 GB', `rss ${rss} kB`)
      break
    }
  }
  fs.rmSync(d, { recursive: true, force: true })
  send({ done: true })
}
async function parent() {
  const F = new Findings()
  const start = Date.now(),
    limit = size === 'long' ? 175_000 : 18_000
  const kinds = flags.get('kind')
    ? [flags.get('kind')]
    : ['sqlite', 'jsonl', 'wal', 'export', 'session']
  const extra = {}
  const at = Object.fromEntries(kinds.map((k) => [k, 0]))
  const one = flags.get('case')
  while (Date.now() - start < limit) {
    for (const k of kinds) {
      const step = one ? 1 : k === 'session' ? 60 : 120
      const from = one ? Number(one) : at[k]
      await new Promise((done) => {
        const c = startedAgain({ seed, size, worker: k, from, until: from + step }, [
          'pipe',
          'pipe',
        ])
        let last = Date.now(),
          cur = from,
          buf = '',
          err = '',
          finished = false,
          hung = false
        const t = setInterval(() => {
          if (Date.now() - last > 10_000) {
            hung = true
            c.kill('SIGKILL')
          } else if (Date.now() - start > limit) c.kill('SIGTERM')
        }, 500)
        c.stderr.on('data', (x) => {
          err = (err + x).slice(-3000)
        })
        c.stdout.on('data', (x) => {
          buf += x
          let i
          while ((i = buf.indexOf('\n')) >= 0) {
            const o = JSON.parse(buf.slice(0, i))
            buf = buf.slice(i + 1)
            last = Date.now()
            if (o.case !== undefined) {
              cur = o.case
              F.count(`cases ${k}`)
            }
            if (o.count) F.count(`${k}: ${o.count}`)
            if (o.broken) F.broken(o.broken, `${seed}/${k}/${o.i}`, o.detail)
            for (const n of ['silent', 'gone', 'shorter', 'search', 'note'])
              if (o[n]) {
                F.count(`${k}: ${n}`)
                const some = (extra[`${k} ${n}`] ??= [])
                if (some.length < 60) some.push(`${cur}: ${o[n]}`)
              }
            if (o.done) finished = true
          }
        })
        c.on('close', (code, sig) => {
          clearInterval(t)
          if (hung) F.broken('hang of 10 s', `${seed}/${k}/${cur}`, '')
          else if (!finished && Date.now() - start < limit)
            F.broken('the process died', `${seed}/${k}/${cur}`, `${code} ${sig} ${err.slice(-900)}`)
          at[k] = finished ? from + step : cur + 1
          done()
        })
      })
      if (Date.now() - start > limit) break
    }
    if (one) break
  }
  for (const [k, v] of Object.entries(extra))
    console.error(`-- ${k}\n` + v.map((x) => '   ' + x.slice(0, 220)).join('\n'))
  F.end({ seconds: Math.round((Date.now() - start) / 1000) })
}
