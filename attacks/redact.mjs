// redact.mjs SEED SIZE: secrets in many written forms and places. After a redaction no byte of the
// secret may stand in what the store holds or prints, or the report names the entry that may hold it.
import { openSession, memoryStore } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { jsonLinesStore } from 'throughline/stores'
import { exportSession } from 'throughline/formats'
import zlib from 'node:zlib'
import fs from 'node:fs'
import path from 'node:path'
import { rng, args, Findings, tempdir, filesWith } from './lib.mjs'

const { seed, size, flags } = args()
const F = new Findings()

const B = (s) => Buffer.from(s, 'utf8')
const bytes = (s) => [...B(s)]
const hex = (s) => B(s).toString('hex')
const b64 = (s) => Buffer.from(s).toString('base64')
const chars = (s) => [...s]
const js = (s) => JSON.stringify(s)
const u4 = (s) =>
  s
    .split('')
    .map((c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
    .join('')
const pct = (s) =>
  bytes(s)
    .map((b) => '%' + b.toString(16).padStart(2, '0').toUpperCase())
    .join('')
const u16 = (s) => Buffer.from(s, 'utf16le')
const swap = (b) => Buffer.from(b).swap16()
const b32 = (buf, al = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567') => {
  let bits = '',
    o = ''
  for (const x of buf) bits += x.toString(2).padStart(8, '0')
  while (bits.length % 5) bits += '0'
  for (let i = 0; i < bits.length; i += 5) o += al[parseInt(bits.slice(i, i + 5), 2)]
  while (o.length % 8) o += '='
  return o
}
const big = (buf, al) => {
  let n = BigInt('0x' + (buf.toString('hex') || '0')),
    o = ''
  const k = BigInt(al.length)
  while (n > 0n) {
    o = al[Number(n % k)] + o
    n /= k
  }
  return o
}
const uu = (buf, al) => {
  const e = (n) => (al ? al[n] : n ? String.fromCharCode(32 + n) : '`')
  let o = 'begin 644 f\n'
  for (let i = 0; i < buf.length; i += 45) {
    const l = buf.subarray(i, i + 45)
    o += e(l.length)
    for (let j = 0; j < l.length; j += 3) {
      const a = l[j],
        b = l[j + 1] ?? 0,
        c = l[j + 2] ?? 0
      o += e(a >> 2) + e(((a & 3) << 4) | (b >> 4)) + e(((b & 15) << 2) | (c >> 6)) + e(c & 63)
    }
    o += '\n'
  }
  return o + '`\nend\n'
}
const a85 = (buf, al) => {
  let o = ''
  const p = (4 - (buf.length % 4)) % 4
  const x = Buffer.concat([buf, Buffer.alloc(p)])
  for (let i = 0; i < x.length; i += 4) {
    let n = x.readUInt32BE(i)
    let t = ''
    for (let k = 0; k < 5; k++) {
      t = (al ? al[n % 85] : String.fromCharCode(33 + (n % 85))) + t
      n = Math.floor(n / 85)
    }
    o += t
  }
  return o.slice(0, o.length - p)
}
const z85 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#'
const xxd = (s, off = 0, cols = 16, pre = 'prefix text ') => {
  const buf = B(pre.slice(0, off) + s)
  let o = ''
  for (let i = 0; i < buf.length; i += cols) {
    const l = buf.subarray(i, i + cols)
    const h = l
      .toString('hex')
      .replace(/(....)/g, '$1 ')
      .trim()
    o += `${i.toString(16).padStart(8, '0')}: ${h.padEnd(40)}  ${[...l].map((c) => (c > 31 && c < 127 ? String.fromCharCode(c) : '.')).join('')}\n`
  }
  return o
}
const hexC = (s, off = 0) => {
  const buf = B('some text bef'.slice(0, off) + s)
  let o = ''
  for (let i = 0; i < buf.length; i += 16) {
    const l = buf.subarray(i, i + 16)
    const h = [...l].map((x, k) => x.toString(16).padStart(2, '0') + (k === 7 ? ' ' : '')).join(' ')
    o += `${i.toString(16).padStart(8, '0')}  ${h.padEnd(49)} |${[...l].map((c) => (c > 31 && c < 127 ? String.fromCharCode(c) : '.')).join('')}|\n`
  }
  return o
}
const od = (s, f) => {
  const buf = B(s)
  let o = ''
  for (let i = 0; i < buf.length; i += 16)
    o += `${i.toString(8).padStart(7, '0')} ${f(buf.subarray(i, i + 16))}\n`
  return o
}
const words = (b, r) => {
  const p = b.length % 2 ? Buffer.concat([b, Buffer.alloc(1)]) : b
  const o = []
  for (let i = 0; i < p.length; i += 2) o.push(r(p.readUInt16LE(i)))
  return o.join(' ')
}
const between = (s, x) => chars(s).join(x)
const wrapAt = (s, n, sep) => s.replace(new RegExp(`(.{${n}})(?=.)`, 'gsu'), `$1${sep}`)
const html = (s) =>
  s.replace(
    /[&<>"']/g,
    (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c],
  )
const qp = (s) =>
  bytes(s)
    .map((b) =>
      b > 32 && b < 127 && b !== 61
        ? String.fromCharCode(b)
        : '=' + b.toString(16).toUpperCase().padStart(2, '0'),
    )
    .join('')
const rot = (s, n) =>
  s.replace(/[a-z]/gi, (c) => {
    const a = c < 'a' ? 65 : 97
    return String.fromCharCode(((c.charCodeAt(0) - a + n) % 26) + a)
  })
const rot47 = (s) =>
  s.replace(/[!-~]/g, (c) => String.fromCharCode(33 + ((c.charCodeAt(0) - 33 + 47) % 94)))
const full = (s) => s.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
const half = (s) => Math.floor(s.length / 2)

// How many characters of a secret these forms hold. Less than a third of it, or than two thirds of a text of
// words, is documented as not named: tools show as much of a key on purpose.
const held = {
  'prefix half': half,
  'prefix 8': () => 8,
  'suffix half': (s) => s.length - half(s),
  ellipsis: half,
  'b64 truncated dots': () => 12,
  'curl trace': () => 64,
  'guid bytes swapped': () => 16,
}
const isTooLittle = (name, sn, s) =>
  (held[name]?.(s) ?? s.length) < s.length / (sn === 'words' ? 1.5 : 3)

// D: documented as found, wherever it stands. N: must be gone or named. U: documented as not findable.
const forms = [
  ['plain', 'D', (s) => s],
  ['in a sentence', 'D', (s) => `The key is ${s}, keep it.`],
  ['glued', 'D', (s) => `xx${s}yy`],
  ['json', 'D', (s) => js(s)],
  ['json2', 'D', (s) => js(js(s))],
  ['json3', 'D', (s) => js(js(js(s)))],
  ['json4 object', 'D', (s) => js(js(js(js({ a: s }))))],
  ['json u4', 'D', (s) => u4(s)],
  ['json u4 upper', 'D', (s) => u4(s).replace(/\\u(....)/g, (_, h) => '\\u' + h.toUpperCase())],
  ['json u4 twice', 'D', (s) => js(u4(s))],
  [
    'json u4 some',
    'N',
    (s, r) =>
      s
        .split('')
        .map((c) => (r.int(2) ? c : u4(c)))
        .join('')
        .replace(/["\\](?!u)/g, '\\$&'),
  ],
  ['json slash', 'D', (s) => js(s).replaceAll('/', '\\/')],
  [
    'hex escapes',
    'D',
    (s) =>
      bytes(s)
        .map((b) => '\\x' + b.toString(16).padStart(2, '0'))
        .join(''),
  ],
  [
    'hex escapes upper',
    'D',
    (s) =>
      bytes(s)
        .map((b) => '\\x' + b.toString(16).padStart(2, '0').toUpperCase())
        .join(''),
  ],
  [
    'hex escapes in json',
    'D',
    (s) =>
      js(
        bytes(s)
          .map((b) => '\\x' + b.toString(16).padStart(2, '0'))
          .join(''),
      ),
  ],
  [
    'octal escapes',
    'D',
    (s) =>
      bytes(s)
        .map((b) => '\\' + b.toString(8).padStart(3, '0'))
        .join(''),
  ],
  [
    'js u{}',
    'D',
    (s) =>
      chars(s)
        .map((c) => `\\u{${c.codePointAt(0).toString(16)}}`)
        .join(''),
  ],
  [
    'perl x{}',
    'N',
    (s) =>
      bytes(s)
        .map((c) => `\\x{${c.toString(16)}}`)
        .join(''),
  ],
  [
    'python U8',
    'D',
    (s) =>
      chars(s)
        .map((c) => '\\U' + c.codePointAt(0).toString(16).padStart(8, '0'))
        .join(''),
  ],
  ['shell single', 'D', (s) => `'${s.replaceAll("'", "'\\''")}'`],
  ['shell backslash', 'D', (s) => s.replace(/[^A-Za-z0-9]/g, '\\$&')],
  [
    'shell every backslash',
    'N',
    (s) =>
      chars(s)
        .map((c) => '\\' + c)
        .join(''),
  ],
  [
    'shell ansi-c',
    'D',
    (s) => `$'${s.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`,
  ],
  ['shell double', 'D', (s) => `"${s.replace(/["\\$`]/g, '\\$&')}"`],
  [
    'shell split quotes',
    'D',
    (s) =>
      `'${s.slice(0, half(s)).replaceAll("'", "'\\''")}'"${s.slice(half(s)).replace(/["\\$`]/g, '\\$&')}"`,
  ],
  ['sql', 'D', (s) => `'${s.replaceAll("'", "''")}'`],
  ['csv', 'D', (s) => `"${s.replaceAll('"', '""')}"`],
  ['powershell', 'N', (s) => `"${s.replace(/["`$]/g, '`$&')}"`],
  ['cmd caret', 'N', (s) => s.replace(/[&|<>^"%!]/g, '^$&')],
  ['regex escaped', 'D', (s) => s.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')],
  ['regex escaped json', 'D', (s) => js(s.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))],
  ['url specials', 'D', (s) => encodeURIComponent(s)],
  ['url all', 'D', pct],
  ['url lower', 'D', (s) => pct(s).toLowerCase()],
  ['url twice', 'D', (s) => encodeURIComponent(encodeURIComponent(s))],
  ['url thrice', 'D', (s) => encodeURIComponent(encodeURIComponent(pct(s)))],
  ['form', 'D', (s) => new URLSearchParams({ k: s }).toString()],
  ['url in json', 'D', (s) => js(`https://a.b/?t=${encodeURIComponent(s)}&x=1`)],
  ['url in html', 'D', (s) => `<a href="https://a.b/?x=1&amp;t=${html(encodeURIComponent(s))}">`],
  [
    '%u',
    'N',
    (s) =>
      s
        .split('')
        .map((c) => '%u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
        .join(''),
  ],
  ['html', 'D', html],
  ['html twice', 'D', (s) => html(html(s))],
  [
    'html dec all',
    'D',
    (s) =>
      chars(s)
        .map((c) => `&#${c.codePointAt(0)};`)
        .join(''),
  ],
  [
    'html hex all',
    'D',
    (s) =>
      chars(s)
        .map((c) => `&#x${c.codePointAt(0).toString(16)};`)
        .join(''),
  ],
  [
    'html hex upper',
    'D',
    (s) =>
      chars(s)
        .map((c) => `&#X${c.codePointAt(0).toString(16).toUpperCase()};`)
        .join(''),
  ],
  [
    'html zero padded',
    'D',
    (s) =>
      chars(s)
        .map((c) => `&#${String(c.codePointAt(0)).padStart(7, '0')};`)
        .join(''),
  ],
  [
    'html no semicolon',
    'N',
    (s) =>
      chars(s)
        .map((c) => `&#${c.codePointAt(0)}`)
        .join(''),
  ],
  [
    'html named',
    'N',
    (s) =>
      s.replace(
        /[-_@$%.:+=/]/g,
        (c) =>
          ({
            _: '&lowbar;',
            '@': '&commat;',
            $: '&dollar;',
            '%': '&percnt;',
            '.': '&period;',
            ':': '&colon;',
            '+': '&plus;',
            '=': '&equals;',
            '/': '&sol;',
            '-': '-',
          })[c],
      ),
  ],
  ['html split tags', 'N', (s) => `<b>${s.slice(0, half(s))}</b><i>${s.slice(half(s))}</i>`],
  ['html wbr', 'N', (s) => wrapAt(s, 8, '<wbr>')],
  ['cdata', 'D', (s) => `<![CDATA[${s}]]>`],
  ['qp', 'D', qp],
  ['qp soft', 'N', (s) => wrapAt(qp(s), 9, '=\n').replace(/=\n(?=[0-9A-F]{1}(?![0-9A-F]))/g, '')],
  [
    'qp all',
    'N',
    (s) =>
      bytes(s)
        .map((b) => '=' + b.toString(16).toUpperCase().padStart(2, '0'))
        .join(''),
  ],
  ['mime B', 'D', (s) => `=?utf-8?B?${b64(s)}?=`],
  ['mime Q', 'N', (s) => `=?utf-8?Q?${qp(s).replaceAll(' ', '_')}?=`],
  ['utf7', 'N', (s) => '+' + b64(swap(u16(s))).replace(/=+$/, '') + '-'],
  ['b64 0', 'D', (s) => b64(s)],
  ['b64 1', 'D', (s) => b64('x' + s + 'zz')],
  ['b64 2', 'D', (s) => b64('xy' + s + 'z')],
  ['b64 0 long', 'D', (s) => b64('user:name at host ' + s + ' and more text follows')],
  ['b64 nopad', 'D', (s) => b64(s).replace(/=+$/, '')],
  ['b64url', 'D', (s) => B('x' + s).toString('base64url')],
  [
    'b64 mime wrap',
    'D',
    (s) =>
      wrapAt(b64('Some words go before it. '.repeat(3) + s + ' And some after it.'), 76, '\r\n'),
  ],
  ['b64 wrap 10', 'D', (s) => wrapAt(b64('abc ' + s), 10, '\n')],
  ['b64 wrap quoted', 'D', (s) => wrapAt(b64('abcd ' + s), 20, '\n> ')],
  ['b64 wrap indented', 'D', (s) => wrapAt(b64('abcd ' + s), 20, '\n    ')],
  ['b64 wrap json', 'D', (s) => js(wrapAt(b64('abcd ' + s), 20, '\n'))],
  ['b64 twice', 'D', (s) => b64(b64('a' + s))],
  ['b64 thrice', 'D', (s) => b64(b64('ab' + b64('a' + s)))],
  ['b64 of json', 'D', (s) => b64(js({ secret: s }))],
  ['b64 of hex', 'D', (s) => b64('z' + hex(s))],
  ['b64 of url', 'D', (s) => b64('z' + encodeURIComponent(s))],
  ['b64 of u16', 'D', (s) => b64(u16('z' + s))],
  ['b64 of u16 odd', 'D', (s) => b64(Buffer.concat([Buffer.from([1]), u16(s)]))],
  ['b64 of u16be', 'D', (s) => b64(swap(u16(s)))],
  ['b64 in url', 'D', (s) => encodeURIComponent(b64('ab' + s))],
  ['b64 slash escaped', 'D', (s) => b64('ab' + s).replaceAll('/', '\\/')],
  ['b64 u4', 'D', (s) => u4(b64(s))],
  ['basic auth', 'D', (s) => 'Authorization: Basic ' + b64('admin:' + s)],
  [
    'jwt',
    'D',
    (s) =>
      `${B('{"alg":"HS256"}').toString('base64url')}.${B(js({ sub: s, iat: 1 })).toString('base64url')}.c2ln`,
  ],
  ['data url b64', 'D', (s) => 'data:text/plain;base64,' + b64('x' + s)],
  ['data url pct', 'D', (s) => 'data:text/plain,' + encodeURIComponent(s)],
  ['b64 spaced', 'N', (s) => between(b64(s), ' ')],
  [
    'b64 line numbers',
    'N',
    (s) =>
      wrapAt(b64('abcd ' + s), 16, '\n')
        .split('\n')
        .map((l, i) => `${String(i + 1).padStart(6)}\t${l}`)
        .join('\n'),
  ],
  ['b64 concat', 'N', (s) => wrapAt(b64('abcd ' + s), 16, "' +\n  '")],
  ['b64 reversed', 'N', (s) => chars(b64(s)).toReversed().join('')],
  ['b64 with garbage', 'N', (s) => wrapAt(b64(s), 8, '*')],
  ['hex', 'D', hex],
  ['hex upper', 'D', (s) => hex(s).toUpperCase()],
  ['hex 0x', 'D', (s) => '0x' + hex('a' + s)],
  [
    'hex colon',
    'D',
    (s) =>
      bytes(s)
        .map((b) => b.toString(16).padStart(2, '0'))
        .join(':'),
  ],
  [
    'hex space',
    'D',
    (s) =>
      bytes(s)
        .map((b) => b.toString(16).padStart(2, '0'))
        .join(' '),
  ],
  [
    'hex dash',
    'D',
    (s) =>
      bytes(s)
        .map((b) => b.toString(16).padStart(2, '0').toUpperCase())
        .join('-'),
  ],
  [
    'hex c array',
    'D',
    (s) =>
      '{' +
      bytes(s)
        .map((b) => '0x' + b.toString(16).padStart(2, '0'))
        .join(', ') +
      '}',
  ],
  [
    'hex c array wrapped',
    'D',
    (s) =>
      '{' +
      bytes(s)
        .map((b, i) => '0x' + b.toString(16).padStart(2, '0') + (i % 8 === 7 ? ',\n ' : ','))
        .join('') +
      '}',
  ],
  ['hex wrapped', 'D', (s) => wrapAt(hex(s), 16, '\n')],
  ['hex twice', 'D', (s) => hex(hex(s))],
  ['hex of b64', 'D', (s) => hex(b64('q' + s))],
  ['hex u16', 'D', (s) => u16(s).toString('hex')],
  ['hex u16be', 'D', (s) => swap(u16(s)).toString('hex')],
  [
    'hex u32',
    'N',
    (s) =>
      chars(s)
        .map((c) => c.codePointAt(0).toString(16).padStart(8, '0'))
        .join(''),
  ],
  ['postgres hex', 'N', (s) => `E'\\\\x${hex(s)}'`],
  ['mysql hex', 'D', (s) => `X'${hex(s)}'`],
  [
    'ldap hex',
    'N',
    (s) =>
      bytes(s)
        .map((b) => '\\' + b.toString(16).padStart(2, '0'))
        .join(''),
  ],
  [
    'css escapes',
    'N',
    (s) =>
      bytes(s)
        .map((b) => '\\' + b.toString(16).padStart(6, '0'))
        .join(''),
  ],
  [
    'css escapes space',
    'N',
    (s) =>
      chars(s)
        .map((c) => '\\' + c.codePointAt(0).toString(16) + ' ')
        .join(''),
  ],
  ['hex odd shift', 'N', (s) => 'a' + hex(s) + 'b'],
  ['hex uuid style', 'N', (s) => wrapAt(hex(s), 8, '-')],
  [
    'guid bytes swapped',
    'N',
    (s) => {
      const b = B(s.padEnd(16)).subarray(0, 16)
      return `${Buffer.from([b[3], b[2], b[1], b[0]]).toString('hex')}-${Buffer.from([b[5], b[4]]).toString('hex')}-${Buffer.from([b[7], b[6]]).toString('hex')}-${b.subarray(8, 10).toString('hex')}-${b.subarray(10).toString('hex')}`
    },
  ],
  ['xxd', 'D', (s) => xxd(s)],
  ['xxd off', 'D', (s) => xxd(s, 7)],
  ['xxd cols 8', 'D', (s) => xxd(s, 3, 8)],
  ['xxd -p', 'D', (s) => wrapAt(hex('begin ' + s), 60, '\n')],
  [
    'xxd -b',
    'N',
    (s) => {
      let o = ''
      const b = B(s)
      for (let i = 0; i < b.length; i += 6)
        o += `${i.toString(16).padStart(8, '0')}: ${[...b.subarray(i, i + 6)].map((x) => x.toString(2).padStart(8, '0')).join(' ')}  ${b
          .subarray(i, i + 6)
          .toString('latin1')
          .replace(/[^ -~]/g, '.')}\n`
      return o
    },
  ],
  ['xxd in json', 'D', (s) => js(xxd(s, 5))],
  ['hexdump -C', 'D', (s) => hexC(s)],
  ['hexdump -C off', 'D', (s) => hexC(s, 11)],
  ['hexdump', 'D', (s) => od(s, (b) => words(b, (n) => n.toString(16).padStart(4, '0')))],
  ['od', 'D', (s) => od(s, (b) => words(b, (n) => n.toString(8).padStart(6, '0')))],
  ['od -x', 'D', (s) => od(s, (b) => words(b, (n) => n.toString(16).padStart(4, '0')))],
  [
    'od -c',
    'D',
    (s) =>
      od(s, (b) =>
        [...b]
          .map((c) =>
            (c > 31 && c < 127
              ? String.fromCharCode(c)
              : c === 10
                ? '\\n'
                : c.toString(8).padStart(3, '0')
            ).padStart(3),
          )
          .join(' '),
      ),
  ],
  ['od -b', 'D', (s) => od(s, (b) => [...b].map((c) => c.toString(8).padStart(3, '0')).join(' '))],
  [
    'od -tx1',
    'D',
    (s) => od(s, (b) => [...b].map((c) => c.toString(16).padStart(2, '0')).join(' ')),
  ],
  [
    'od -An -tx1',
    'D',
    (s) =>
      od(s, (b) => [...b].map((c) => c.toString(16).padStart(2, '0')).join(' ')).replace(
        /^\d+ /gm,
        ' ',
      ),
  ],
  [
    'od -td1',
    'D',
    (s) => od(s, (b) => [...b].map((c) => String(c > 127 ? c - 256 : c).padStart(4)).join(' ')),
  ],
  [
    'od -ta',
    'N',
    (s) =>
      od(s, (b) =>
        [...b]
          .map((c) =>
            (c === 32 ? 'sp' : c === 10 ? 'nl' : String.fromCharCode(c & 127)).padStart(3),
          )
          .join(' '),
      ),
  ],
  [
    'od -tx4',
    'N',
    (s) =>
      od(s, (b) => {
        const p = Buffer.concat([b, Buffer.alloc((4 - (b.length % 4)) % 4)])
        const o = []
        for (let i = 0; i < p.length; i += 4)
          o.push(p.readUInt32LE(i).toString(16).padStart(8, '0'))
        return o.join(' ')
      }),
  ],
  [
    'od -tx8',
    'N',
    (s) =>
      od(s, (b) => {
        const p = Buffer.concat([b, Buffer.alloc((8 - (b.length % 8)) % 8)])
        const o = []
        for (let i = 0; i < p.length; i += 8)
          o.push(p.readBigUInt64LE(i).toString(16).padStart(16, '0'))
        return o.join(' ')
      }),
  ],
  ['gdb x/s', 'N', (s) => `0x7ffe: ${js(s)}`],
  [
    'gdb x/bx',
    'N',
    (s) => {
      let o = ''
      const b = B(s)
      for (let i = 0; i < b.length; i += 8)
        o += `0x${(0x555000 + i).toString(16)}:\t${[...b.subarray(i, i + 8)].map((x) => '0x' + x.toString(16).padStart(2, '0')).join('\t')}\n`
      return o
    },
  ],
  [
    'wireshark',
    'N',
    (s) => {
      let o = ''
      const b = B(s)
      for (let i = 0; i < b.length; i += 16)
        o += `${i.toString(16).padStart(4, '0')}   ${[...b.subarray(i, i + 16)].map((x) => x.toString(16).padStart(2, '0')).join(' ')}   ${b
          .subarray(i, i + 16)
          .toString('latin1')
          .replace(/[^ -~]/g, '.')}\n`
      return o
    },
  ],
  ['dec list', 'D', (s) => '[' + bytes(s).join(', ') + ']'],
  ['dec list tight', 'D', (s) => '[' + bytes(s).join(',') + ']'],
  ['dec list spaces', 'D', (s) => bytes(s).join(' ')],
  ['dec list lines', 'D', (s) => bytes(s).join(',\n  ')],
  [
    'signed list',
    'N',
    (s) =>
      '[' +
      bytes(s)
        .map((b) => (b > 127 ? b - 256 : b))
        .join(', ') +
      ']',
  ],
  [
    'octal list',
    'D',
    (s) =>
      bytes(s)
        .map((b) => '0' + b.toString(8))
        .join(', '),
  ],
  [
    '0o list',
    'D',
    (s) =>
      bytes(s)
        .map((b) => '0o' + b.toString(8))
        .join(', '),
  ],
  [
    'binary list',
    'D',
    (s) =>
      bytes(s)
        .map((b) => b.toString(2).padStart(8, '0'))
        .join(' '),
  ],
  [
    '0b list',
    'D',
    (s) =>
      bytes(s)
        .map((b) => '0b' + b.toString(2))
        .join(', '),
  ],
  [
    'binary run',
    'N',
    (s) =>
      bytes(s)
        .map((b) => b.toString(2).padStart(8, '0'))
        .join(''),
  ],
  ['Buffer json', 'D', (s) => js(B(s))],
  [
    'Buffer inspect',
    'D',
    (s) =>
      `<Buffer ${bytes(s)
        .map((b) => b.toString(16).padStart(2, '0'))
        .join(' ')}>`,
  ],
  ['Uint8Array json', 'D', (s) => js({ ...B(s) })],
  [
    'Uint8Array inspect',
    'D',
    (s) =>
      `Uint8Array(${B(s).length}) [\n  ${bytes(s)
        .map((b, i) => String(b).padStart(3) + (i % 12 === 11 ? ',\n  ' : ', '))
        .join('')}\n]`,
  ],
  [
    'fromCharCode',
    'D',
    (s) =>
      `String.fromCharCode(${s
        .split('')
        .map((c) => c.charCodeAt(0))
        .join(',')})`,
  ],
  [
    'chr concat',
    'N',
    (s) =>
      chars(s)
        .map((c) => `chr(${c.codePointAt(0)})`)
        .join(' + '),
  ],
  [
    'Chr &',
    'N',
    (s) =>
      chars(s)
        .map((c) => `Chr(${c.codePointAt(0)})`)
        .join(' & '),
  ],
  [
    'rust b list',
    'N',
    (s) =>
      '[' +
      chars(s)
        .map((c) => `b'${c}'`)
        .join(', ') +
      ']',
  ],
  [
    'u32 words',
    'N',
    (s) => {
      const b = Buffer.concat([B(s), Buffer.alloc((4 - (B(s).length % 4)) % 4)])
      const o = []
      for (let i = 0; i < b.length; i += 4) o.push('0x' + b.readUInt32LE(i).toString(16))
      return o.join(', ')
    },
  ],
  ['bigint', 'N', (s) => BigInt('0x' + hex(s)).toString()],
  [
    'float list',
    'N',
    (s) =>
      '[' +
      bytes(s)
        .map((b) => b + '.0')
        .join(', ') +
      ']',
  ],
  [
    'json rows of byte',
    'N',
    (s) =>
      bytes(s)
        .map((b, i) => `${i}: ${b}`)
        .join('\n'),
  ],
  ['u16 text', 'D', (s) => between(s, '\0') + '\0'],
  ['u16be text', 'D', (s) => '\0' + between(s, '\0')],
  ['u16 json', 'D', (s) => js(between(s, '\0'))],
  ['u16 dots', 'N', (s) => between(s, '.')],
  ['u16 replacement', 'N', (s) => between(s, '\ufffd')],
  ['u32 text', 'N', (s) => between(s, '\0\0\0')],
  ['u16 strings -el spaced', 'N', (s) => between(s, ' ')],
  ['b32 0', 'D', (s) => b32(B(s))],
  ['b32 1', 'D', (s) => b32(B('x' + s))],
  ['b32 2', 'D', (s) => b32(B('xy' + s))],
  ['b32 3', 'D', (s) => b32(B('xyz' + s))],
  ['b32 4', 'D', (s) => b32(B('xyzw' + s))],
  ['b32 lower', 'D', (s) => b32(B(s)).toLowerCase()],
  ['b32 nopad', 'D', (s) => b32(B(s)).replace(/=+$/, '')],
  ['b32hex', 'N', (s) => b32(B(s), '0123456789ABCDEFGHIJKLMNOPQRSTUV')],
  ['b32 crockford', 'N', (s) => b32(B(s), '0123456789ABCDEFGHJKMNPQRSTVWXYZ').replace(/=+$/, '')],
  ['b32 z', 'N', (s) => b32(B(s), 'ybndrfg8ejkmcpqxot1uwisza345h769').replace(/=+$/, '')],
  ['b32 grouped', 'N', (s) => wrapAt(b32(B(s)), 4, ' ')],
  ['b58', 'N', (s) => big(B(s), '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')],
  ['b62', 'N', (s) => big(B(s), '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')],
  ['b36', 'N', (s) => big(B(s), '0123456789abcdefghijklmnopqrstuvwxyz')],
  ['a85', 'N', (s) => `<~${a85(B(s))}~>`],
  ['z85', 'N', (s) => a85(B(s), z85)],
  [
    'b85 py',
    'N',
    (s) =>
      a85(
        B(s),
        '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~',
      ),
  ],
  ['uu', 'D', (s) => uu(B('some words ' + s + ' more'))],
  ['uu 0', 'D', (s) => uu(B(s))],
  ['uu 2', 'D', (s) => uu(B('ab' + s))],
  ['xx', 'N', (s) => uu(B(s), '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')],
  ['ansi between', 'D', (s) => between(s, '\x1b[1m')],
  [
    'ansi middle',
    'D',
    (s) => `\x1b[31m${s.slice(0, half(s))}\x1b[0m\x1b[1;32m${s.slice(half(s))}\x1b[0m`,
  ],
  ['ansi 256', 'D', (s) => `${s.slice(0, 4)}\x1b[38;5;196m${s.slice(4)}\x1b[m`],
  ['ansi rgb colon', 'D', (s) => `${s.slice(0, 4)}\x1b[38:2::1:2:3m${s.slice(4)}\x1b[m`],
  ['ansi escaped', 'D', (s) => `${s.slice(0, 5)}\\u001b[31m${s.slice(5)}`],
  ['ansi escaped x1b', 'D', (s) => `${s.slice(0, 5)}\\x1b[31m${s.slice(5)}`],
  ['ansi literal ESC e', 'N', (s) => `${s.slice(0, 5)}\\e[31m${s.slice(5)}`],
  ['ansi caret', 'N', (s) => `${s.slice(0, 5)}^[[31m${s.slice(5)}`],
  ['ansi without esc', 'N', (s) => `${s.slice(0, 5)}[31m${s.slice(5)}[0m`],
  ['osc link', 'D', (s) => `${s.slice(0, 5)}\x1b]8;;https://x\x07${s.slice(5)}\x1b]8;;\x07`],
  ['csi cursor', 'D', (s) => `${s.slice(0, 5)}\x1b[1C\x1b[1D${s.slice(5)}`],
  ['c1 csi', 'N', (s) => `${s.slice(0, 5)}\x9b31m${s.slice(5)}`],
  ['zwsp', 'D', (s) => between(s, '\u200b')],
  ['zwj', 'D', (s) => between(s, '\u200d')],
  ['soft hyphen', 'D', (s) => between(s, '\u00ad')],
  ['word joiner', 'D', (s) => between(s, '\u2060')],
  ['bom', 'D', (s) => between(s, '\ufeff')],
  ['bidi', 'D', (s) => `\u202a${between(s, '\u200e')}\u202c`],
  ['rlo', 'N', (s) => `\u202e${chars(s).toReversed().join('')}\u202c`],
  ['variation', 'D', (s) => between(s, '\ufe0f')],
  ['tag chars between', 'D', (s) => between(s, '\u{e0061}')],
  ['cgj', 'D', (s) => between(s, '\u034f')],
  ['invisible times', 'D', (s) => between(s, '\u2062')],
  ['mongolian vs', 'N', (s) => between(s, '\u180e')],
  ['hangul filler', 'N', (s) => between(s, '\u3164')],
  ['control between', 'N', (s) => between(s, '\x01')],
  ['del between', 'N', (s) => between(s, '\x7f')],
  [
    'overstrike',
    'N',
    (s) =>
      chars(s)
        .map((c) => `${c}\b${c}`)
        .join(''),
  ],
  [
    'typed with CR',
    'N',
    (s) =>
      chars(s)
        .map((_, i, a) => a.slice(0, i + 1).join(''))
        .join('\r'),
  ],
  ['backspace', 'N', (s) => `${s.slice(0, 6)}x\b${s.slice(6)}`],
  ['newline middle', 'D', (s) => `${s.slice(0, half(s))}\n${s.slice(half(s))}`],
  ['newline indent', 'D', (s) => wrapAt(s, 8, '\n    ')],
  ['crlf', 'D', (s) => wrapAt(s, 8, '\r\n')],
  ['backslash newline', 'D', (s) => wrapAt(s, 8, '\\\n')],
  ['newline escaped', 'D', (s) => wrapAt(s, 8, '\\n')],
  ['each letter a line', 'D', (s) => between(s, '\n')],
  ['quoted mail', 'D', (s) => wrapAt(s, 8, '\n> ')],
  ['quoted mail deep', 'D', (s) => wrapAt(s, 8, '\n> > ')],
  ['comment wrap', 'N', (s) => wrapAt(s, 8, '\n * ')],
  ['# wrap', 'N', (s) => wrapAt(s, 8, '\n# ')],
  ['// wrap', 'N', (s) => wrapAt(s, 8, '\n// ')],
  ['diff wrap', 'N', (s) => '+' + wrapAt(s, 8, '\n+')],
  ['box wrap', 'N', (s) => wrapAt(s, 8, ' │\n│ ')],
  [
    'line number wrap',
    'N',
    (s) =>
      wrapAt(s, 8, '\n')
        .split('\n')
        .map((l, i) => `${i + 10}→${l}`)
        .join('\n'),
  ],
  [
    'line number wrap colon',
    'N',
    (s) =>
      wrapAt(s, 8, '\n')
        .split('\n')
        .map((l, i) => `${i + 10}: ${l}`)
        .join('\n'),
  ],
  [
    'grep wrap',
    'N',
    (s) =>
      wrapAt(s, 8, '\n')
        .split('\n')
        .map((l, i) => `src/a.ts:${i + 10}:${l}`)
        .join('\n'),
  ],
  [
    'log prefix wrap',
    'N',
    (s) =>
      wrapAt(s, 8, '\n')
        .split('\n')
        .map((l) => `2026-01-01T00:00:00Z INFO ${l}`)
        .join('\n'),
  ],
  ['tab', 'N', (s) => wrapAt(s, 8, '\t')],
  ['two spaces', 'N', (s) => wrapAt(s, 8, '  ')],
  ['concat plus', 'D', (s) => `${js(s.slice(0, half(s)))} + ${js(s.slice(half(s)))}`],
  ['concat dots', 'N', (s) => `'${s.slice(0, half(s))}' . '${s.slice(half(s))}'`],
  ['concat adjacent', 'N', (s) => `${js(s.slice(0, half(s)))} ${js(s.slice(half(s)))}`],
  ['concat lines', 'N', (s) => wrapAt(s, 8, '" +\n  "')],
  ['concat ..', 'N', (s) => wrapAt(s, 8, '" .. "')],
  ['concat ||', 'N', (s) => wrapAt(s, 8, "' || '")],
  ['concat <>', 'N', (s) => wrapAt(s, 8, '" <> "')],
  ['concat &', 'N', (s) => wrapAt(s, 8, '" & "')],
  ['char array', 'N', (s) => js(chars(s))],
  [
    'char array single',
    'N',
    (s) =>
      '[' +
      chars(s)
        .map((c) => `'${c}'`)
        .join(', ') +
      ']',
  ],
  ['chunks array', 'N', (s) => js(wrapAt(s, 5, '\u0000').split('\u0000'))],
  ['join', 'D', (s) => `[${wrapAt(s, 8, '\u0000').split('\u0000').map(js).join(', ')}].join('')`],
  ['variables', 'N', (s) => `A=${js(s.slice(0, half(s)))}\nB=${js(s.slice(half(s)))}\nKEY="$A$B"`],
  ['printf', 'N', (s) => `printf '%s%s' '${s.slice(0, half(s))}' '${s.slice(half(s))}'`],
  ['yaml folded', 'N', (s) => `key: >-\n  ${wrapAt(s, 8, '\n  ')}`],
  [
    'yaml list',
    'N',
    (s) =>
      wrapAt(s, 8, '\n')
        .split('\n')
        .map((l) => `- ${l}`)
        .join('\n'),
  ],
  [
    'sse deltas',
    'D',
    (s) =>
      wrapAt(s, 6, '\u0000')
        .split('\u0000')
        .map((l) => `data: ${js({ delta: l })}\n\n`)
        .join(''),
  ],
  [
    'sse deltas anthropic',
    'D',
    (s) =>
      wrapAt(s, 6, '\u0000')
        .split('\u0000')
        .map(
          (l) =>
            `event: content_block_delta\ndata: ${js({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: l } })}\n\n`,
        )
        .join(''),
  ],
  [
    'sse openai',
    'D',
    (s) =>
      wrapAt(s, 6, '\u0000')
        .split('\u0000')
        .map((l) => `data: ${js({ id: 'c1', choices: [{ index: 0, delta: { content: l } }] })}\n\n`)
        .join(''),
  ],
  [
    'sse input json',
    'N',
    (s) =>
      wrapAt(js({ command: s }), 6, '\u0000')
        .split('\u0000')
        .map((l) => `data: ${js({ type: 'input_json_delta', partial_json: l })}\n`)
        .join(''),
  ],
  [
    'log of chunks',
    'N',
    (s) =>
      wrapAt(s, 8, '\u0000')
        .split('\u0000')
        .map((l, i) => `chunk ${i}: ${l}`)
        .join('\n'),
  ],
  [
    'keystrokes',
    'N',
    (s) =>
      chars(s)
        .map((c) => `key press: ${c}`)
        .join('\n'),
  ],
  [
    'keystrokes json',
    'N',
    (s) =>
      chars(s)
        .map((c) => js({ type: 'keydown', key: c }))
        .join('\n'),
  ],
  [
    'positions',
    'N',
    (s) =>
      chars(s)
        .map((c, i) => `s[${i}] = '${c}'`)
        .join('\n'),
  ],
  ['upper', 'N', (s) => s.toUpperCase()],
  ['lower', 'N', (s) => s.toLowerCase()],
  ['title', 'N', (s) => s.toLowerCase().replace(/\b./g, (c) => c.toUpperCase())],
  [
    'swap case',
    'N',
    (s) => s.replace(/[a-z]/gi, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase())),
  ],
  ['spaced', 'N', (s) => between(s, ' ')],
  ['dashed', 'N', (s) => between(s, '-')],
  ['dotted', 'N', (s) => between(s, '.')],
  ['comma', 'N', (s) => between(s, ', ')],
  ['underscored', 'N', (s) => between(s, '_')],
  ['grouped 4', 'N', (s) => wrapAt(s, 4, ' ')],
  ['grouped 4 dash', 'N', (s) => wrapAt(s, 4, '-')],
  ['no symbols', 'N', (s) => s.replace(/[^A-Za-z0-9]/g, '')],
  ['reversed', 'N', (s) => chars(s).toReversed().join('')],
  ['reversed words', 'N', (s) => chars(s).toReversed().join('').toUpperCase()],
  ['rot13', 'N', (s) => rot(s, 13)],
  ['caesar 3', 'N', (s) => rot(s, 3)],
  ['rot47', 'N', rot47],
  [
    'atbash',
    'N',
    (s) =>
      s.replace(/[a-z]/gi, (c) => {
        const a = c < 'a' ? 65 : 97
        return String.fromCharCode(a + 25 - (c.charCodeAt(0) - a))
      }),
  ],
  ['full width', 'N', full],
  [
    'homoglyph',
    'N',
    (s) => s.replace(/[aeopcx]/g, (c) => ({ a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', x: 'х' })[c]),
  ],
  ['nfd', 'N', (s) => s.normalize('NFD')],
  ['nfkc', 'N', (s) => s.normalize('NFKC')],
  [
    'math bold',
    'N',
    (s) => s.replace(/[a-z]/g, (c) => String.fromCodePoint(0x1d41a + c.charCodeAt(0) - 97)),
  ],
  [
    'circled',
    'N',
    (s) => s.replace(/[a-z]/g, (c) => String.fromCodePoint(0x24d0 + c.charCodeAt(0) - 97)),
  ],
  ['combining', 'N', (s) => between(s, '\u0332')],
  ['leet', 'N', (s) => s.replace(/[aeio]/g, (c) => ({ a: '4', e: '3', i: '1', o: '0' })[c])],
  ['mojibake', 'N', (s) => B(s).toString('latin1')],
  [
    'tag alphabet',
    'N',
    (s) =>
      chars(s)
        .map((c) =>
          c < '\x7f' && c > '\x1f' ? String.fromCodePoint(0xe0000 + c.charCodeAt(0)) : c,
        )
        .join(''),
  ],
  ['html upper', 'N', (s) => html(s.toUpperCase())],
  ['hex of upper', 'N', (s) => hex(s.toUpperCase())],
  ['b64 of reversed', 'N', (s) => b64(chars(s).toReversed().join(''))],
  ['b64 of upper', 'N', (s) => b64(s.toUpperCase())],
  ['gzip b64', 'N', (s) => b64(zlib.gzipSync('some text and ' + s + ' and more text'))],
  ['gzip hex', 'N', (s) => zlib.gzipSync('text ' + s).toString('hex')],
  ['deflate b64', 'N', (s) => b64(zlib.deflateSync('text ' + s))],
  ['raw deflate b64', 'U', (s) => b64(zlib.deflateRawSync('text ' + s))],
  ['brotli b64', 'U', (s) => b64(zlib.brotliCompressSync('text ' + s + ' text text'))],
  ['gzip bytes list', 'N', (s) => '[' + [...zlib.gzipSync('text ' + s)].join(', ') + ']'],
  [
    'gzip xxd',
    'N',
    (s) => {
      const b = zlib.gzipSync('text ' + s)
      let o = ''
      for (let i = 0; i < b.length; i += 16)
        o += `${i.toString(16).padStart(8, '0')}: ${b
          .subarray(i, i + 16)
          .toString('hex')
          .replace(/(....)/g, '$1 ')} ....\n`
      return o
    },
  ],
  ['prefix half', 'N', (s) => s.slice(0, half(s))],
  ['prefix 8', 'N', (s) => s.slice(0, 8)],
  ['prefix -1', 'N', (s) => s.slice(0, -1)],
  ['suffix -1', 'N', (s) => s.slice(1)],
  ['suffix half', 'N', (s) => s.slice(half(s))],
  ['masked middle', 'N', (s) => `${s.slice(0, 8)}****${s.slice(-8)}`],
  ['ellipsis', 'N', (s) => `${s.slice(0, half(s))}…`],
  ['ellipsis middle', 'N', (s) => `${s.slice(0, half(s) - 2)}…${s.slice(half(s) + 2)}`],
  ['one letter wrong', 'N', (s) => s.slice(0, half(s)) + '#' + s.slice(half(s) + 1)],
  ['b64 prefix', 'N', (s) => b64(s).slice(0, -8)],
  ['b64 truncated dots', 'N', (s) => b64('token ' + s).slice(0, 24) + '...'],
  ['hex prefix', 'N', (s) => hex(s).slice(0, -6)],
  ['url prefix', 'N', (s) => pct(s).slice(0, -6)],
  ['path', 'D', (s) => `/home/u/.keys/${s.replaceAll('/', '_') === s ? s : s}/id`],
  ['path ext', 'D', (s) => `secrets/${s}.txt`],
  ['query', 'D', (s) => `curl https://api/x?key=${encodeURIComponent(s)}`],
  ['userinfo', 'D', (s) => `https://user:${encodeURIComponent(s)}@host/`],
  ['env', 'D', (s) => `export KEY=${s}`],
  ['ps', 'D', (s) => `root 1 0 mysql -p${s} db`],
  ['toml', 'D', (s) => `key = ${js(s)}`],
  ['properties', 'N', (s) => `key=${s.replace(/[:=#!]/g, '\\$&')}`],
  ['markdown escaped', 'D', (s) => s.replace(/[_*[\]()#+.!~`>|-]/g, '\\$&')],
  ['latex', 'N', (s) => s.replace(/[_&%$#{}]/g, '\\$&')],
  ['markdown code', 'D', (s) => '`' + s + '`'],
  ['bold middle', 'N', (s) => `${s.slice(0, 5)}**${s.slice(5, 9)}**${s.slice(9)}`],
  ['yaml double', 'D', (s) => `k: ${js(s)}`],
  ['go quote', 'N', (s) => js(s).replace(/[\u0080-\uffff]/g, (c) => u4(c))],
  [
    'repr',
    'D',
    (s) =>
      `b'${bytes(s)
        .map((b) =>
          b > 31 && b < 127 && b !== 39 && b !== 92
            ? String.fromCharCode(b)
            : '\\x' + b.toString(16).padStart(2, '0'),
        )
        .join('')}'`,
  ],
  ['curl trace', 'N', (s) => `0000: ${s.slice(0, 64)}`],
  ['json of qp', 'D', (s) => js(qp(s))],
  ['json of html', 'D', (s) => js(html(s))],
  ['url of json', 'D', (s) => encodeURIComponent(js({ k: s }))],
  ['html of json', 'D', (s) => html(js({ k: s }))],
  ['hex of json', 'D', (s) => hex(js({ k: s }))],
  ['xxd of json', 'D', (s) => xxd(js({ k: s }))],
  ['b64 of html of json', 'D', (s) => b64(html(js({ k: s })))],
  ['url of b64 of json of b64', 'D', (s) => encodeURIComponent(b64(js({ k: b64('a' + s) })))],
  ['json of xxd of b64', 'D', (s) => js(xxd(b64('abc' + s)))],
  ['b64 of ansi', 'D', (s) => b64(`${s.slice(0, 5)}\x1b[31m${s.slice(5)}`)],
  ['wrapped in json', 'D', (s) => js(wrapAt(s, 8, '\n'))],
  ['concat in json', 'D', (s) => js(`${js(s.slice(0, half(s)))} + ${js(s.slice(half(s)))}`)],
]

// Places: what to append, and where the text stands.
const msg = (role, content, origin, extra = {}) => ({
  kind: 'message',
  at: 1,
  origin,
  message: { role, content },
  ...extra,
})
let callNo = 0
const call = (input, over = {}) => {
  const id = over.id ?? `c${++callNo}`
  return [
    msg(
      'assistant',
      [
        {
          type: 'tool-call',
          toolCallId: id,
          toolName: over.tool ?? 'bash',
          input,
          ...over.part,
        },
      ],
      'model',
      { finish: 'tool-calls' },
    ),
    msg(
      'tool',
      [
        {
          type: 'tool-result',
          toolCallId: id,
          toolName: over.tool ?? 'bash',
          output: over.output ?? { type: 'text', value: 'done' },
        },
      ],
      'tool',
    ),
  ]
}
const places = {
  user: (t) => [msg('user', t, 'human')],
  'user parts': (t) => [
    msg(
      'user',
      [
        { type: 'text', text: 'see' },
        { type: 'text', text: t },
      ],
      'human',
    ),
  ],
  harness: (t) => [msg('user', t, 'harness')],
  system: (t) => [msg('system', t, 'harness')],
  assistant: (t) => [msg('assistant', t, 'model', { finish: 'stop' })],
  reasoning: (t) => [
    msg(
      'assistant',
      [
        { type: 'reasoning', text: t },
        { type: 'text', text: 'ok' },
      ],
      'model',
    ),
  ],
  input: (t) => call({ command: t }),
  'input deep': (t) => call({ a: [{ b: { c: [t] } }] }),
  'input key': (t) => call({ [t]: 1 }),
  'input string': (t) => call(t),
  result: (t) => call({}, { output: { type: 'text', value: t } }),
  'result json': (t) => call({}, { output: { type: 'json', value: { out: [t] } } }),
  'result json key': (t) => call({}, { output: { type: 'json', value: { [t]: true } } }),
  'error text': (t) => call({}, { output: { type: 'error-text', value: t } }),
  'error json': (t) => call({}, { output: { type: 'error-json', value: { m: t } } }),
  denied: (t) => call({}, { output: { type: 'execution-denied', reason: t } }),
  content: (t) => call({}, { output: { type: 'content', value: [{ type: 'text', text: t }] } }),
  'content file': (t) =>
    call(
      {},
      {
        output: {
          type: 'content',
          value: [
            { type: 'file-data', data: b64('x' + t), mediaType: 'text/plain', filename: 'a.txt' },
          ],
        },
      },
    ),
  'content filename': (t) =>
    call(
      {},
      {
        output: {
          type: 'content',
          value: [{ type: 'file-data', data: b64('x'), mediaType: 'text/plain', filename: t }],
        },
      },
    ),
  'call id': (t) => call({}, { id: t }),
  'tool name': (t) => call({}, { tool: t }),
  'provider options': (t) => call({}, { part: { providerOptions: { x: { y: t } } } }),
  'message options': (t) => [
    {
      kind: 'message',
      at: 1,
      origin: 'human',
      message: { role: 'user', content: 'x', providerOptions: { p: { q: t } } },
    },
  ],
  metadata: (t) => [msg('user', 'x', 'human', { metadata: { mine: { deep: [t] } } })],
  model: (t) => [msg('assistant', 'x', 'model', { model: t })],
  file: (t) => [
    msg(
      'user',
      [{ type: 'file', data: b64('x' + t), mediaType: 'text/plain', filename: 'a' }],
      'human',
    ),
  ],
  'file dataurl': (t) => [
    msg(
      'user',
      [{ type: 'file', data: 'data:text/plain;base64,' + b64(t), mediaType: 'text/plain' }],
      'human',
    ),
  ],
  'file name': (t) => [
    msg('user', [{ type: 'file', data: b64('x'), mediaType: 'text/plain', filename: t }], 'human'),
  ],
  'image url': (t) => [msg('user', [{ type: 'image', image: `https://x/y?sig=${t}` }], 'human')],
  'image dataurl svg': (t) => [
    msg(
      'user',
      [
        {
          type: 'image',
          image: 'data:image/svg+xml;base64,' + b64(`<svg><text>${t}</text></svg>`),
          mediaType: 'image/svg+xml',
        },
      ],
      'human',
    ),
  ],
  'image png text': (t) => [
    msg(
      'user',
      [
        {
          type: 'image',
          image: b64(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), B(t)])),
          mediaType: 'image/png',
        },
      ],
      'human',
    ),
  ],
  pin: (t) => [{ kind: 'pin', at: 1, text: t }],
  note: (t) => [
    { kind: 'observation', at: 1, observation: { type: 'note', name: 'n', data: { x: [t] } } },
  ],
  'note name': (t) => [
    { kind: 'observation', at: 1, observation: { type: 'note', name: t, data: 1 } },
  ],
  'note key': (t) => [
    { kind: 'observation', at: 1, observation: { type: 'note', name: 'n', data: { [t]: 1 } } },
  ],
  failure: (t) => [
    {
      kind: 'observation',
      at: 1,
      observation: { type: 'failure', summarizer: 's', problems: [t] },
    },
  ],
  prune: (t) => [
    ...call({ command: 'x' }, { output: { type: 'text', value: 'long output' } }),
    {
      kind: 'prune',
      at: 1,
      base: 2,
      replacements: [{ how: 'pruned', ref: '3.0', text: t }],
      metadata: {},
    },
  ],
  checkpoint: (t) => [
    {
      kind: 'checkpoint',
      at: 1,
      base: 1,
      summary: '## Goal\n' + t,
      summarizer: 'm',
      tail: [],
      continuation: null,
      metadata: {},
    },
  ],
  continuation: (t) => [
    {
      kind: 'checkpoint',
      at: 1,
      base: 1,
      summary: '## Goal\nx',
      summarizer: 'm',
      tail: [],
      continuation: {
        kind: 'mid-task',
        message: { role: 'user', content: t },
        metadata: { compaction_continue: true },
      },
      metadata: {},
    },
  ],
  omission: (t) => [
    {
      kind: 'checkpoint',
      at: 1,
      base: 1,
      summary: '## Goal\nx',
      summarizer: 'm',
      tail: [{ type: 'omission', from: 1, to: 1, text: t }],
      continuation: null,
      metadata: {},
    },
  ],
}
// Spread over several places.
const spreads = {
  'two parts': (s) => [
    msg(
      'user',
      [
        { type: 'text', text: 'a ' + s.slice(0, half(s)) },
        { type: 'text', text: s.slice(half(s)) + ' b' },
      ],
      'human',
    ),
  ],
  'two messages': (s) => [
    msg('user', 'first: ' + s.slice(0, half(s)), 'human'),
    msg('user', s.slice(half(s)) + ' that was it', 'human'),
  ],
  'two messages apart': (s) => [
    msg('user', 'first half: ' + s.slice(0, half(s)), 'human'),
    msg('assistant', 'And the rest?', 'model', { finish: 'stop' }),
    msg('user', s.slice(half(s)), 'human'),
  ],
  'three messages': (s) => [
    msg('user', s.slice(0, 6), 'human'),
    msg('user', s.slice(6, -6), 'human'),
    msg('user', s.slice(-6), 'human'),
  ],
  'each letter a message': (s) => chars(s).map((c) => msg('user', c, 'human')),
  'two results': (s) => [
    ...call({}, { output: { type: 'text', value: 'line\n' + s.slice(0, half(s)) } }),
    ...call({}, { output: { type: 'text', value: s.slice(half(s)) + '\nline' } }),
  ],
  'poll output': (s) => [
    ...call(
      { session: 1 },
      {
        tool: 'exec_command',
        output: { type: 'text', value: 'Output:\nkey=' + s.slice(0, half(s)) },
      },
    ),
    ...call(
      { session_id: 1, chars: '' },
      {
        tool: 'write_stdin',
        output: { type: 'text', value: 'Output:\n' + s.slice(half(s)) + '\n' },
      },
    ),
  ],
  'input and result': (s) =>
    call({ a: s.slice(0, half(s)) }, { output: { type: 'text', value: s.slice(half(s)) } }),
  'edit old new': (s) =>
    call({
      file: 'x',
      old_string: 'K="' + s.slice(0, half(s)) + '"',
      new_string: 'K="' + s.slice(0, half(s)) + s.slice(half(s)) + '"',
    }),
  'json fields': (s) => call({ first: s.slice(0, half(s)), second: s.slice(half(s)) }),
  'b64 over messages': (s) => {
    const e = b64('abc' + s)
    return [msg('user', e.slice(0, 16), 'human'), msg('user', e.slice(16), 'human')]
  },
  'text and reasoning': (s) => [
    msg(
      'assistant',
      [
        { type: 'reasoning', text: 'it is ' + s.slice(0, half(s)) },
        { type: 'text', text: s.slice(half(s)) },
      ],
      'model',
    ),
  ],
}
// What of a text depends on the secret: pieces of K characters that the same form of two other secrets doesn't have.
const K = 6
function decoyOf(s, shift) {
  // The first and last lines of a key are the same in all keys.
  if (s.includes('\n-----'))
    return s
      .split('\n')
      .map((line) => (line.startsWith('-----') ? line : decoyOf(line, shift)))
      .join('\n')
  return chars(s)
    .map((c) => {
      const m = (a) => {
        const i = a.indexOf(c)
        return i < 0 ? undefined : a[(i + shift) % a.length]
      }
      return (
        m('abcdefghijklmnopqrstuvwxyz') ??
        m('ABCDEFGHIJKLMNOPQRSTUVWXYZ') ??
        m('0123456789') ??
        (c > '\x7f' && c.length === 1 ? String.fromCharCode(c.charCodeAt(0) + shift) : c)
      )
    })
    .join('')
}
function grams(t) {
  const o = new Set()
  for (let i = 0; i + K <= t.length; i++) o.add(t.slice(i, i + K))
  return o
}
function leaves(v, out = []) {
  if (typeof v === 'string') out.push(v)
  else if (Array.isArray(v)) for (const x of v) leaves(x, out)
  else if (v && typeof v === 'object')
    for (const [k, x] of Object.entries(v)) {
      out.push(k)
      leaves(x, out)
    }
  return out
}

function secrets(r) {
  return [
    ['token', 'sk_live-' + r.text(22)],
    ['odd', `p"${r.text(5)}'\\${r.text(4)} $&<${r.text(4)}>/${r.text(3)}%+=`],
    ['unicode', `pä${r.text(5)}€${r.text(5)}😀${r.text(5)}ß`],
    ['lines', `-----BEGIN KEY-----\n${r.text(40)}\n${r.text(40)}\n-----END KEY-----`],
    ['short', r.text(9)],
    ['digits', r.text(16, '0123456789')],
    ['long', r.text(300)],
    ['hexish', r.text(40, '0123456789abcdef')],
    ['words', `correct ${r.text(6, 'abcdefghijkl')} battery ${r.text(6, 'mnopqrst')}`],
    ['b64ish', b64(r.text(24))],
  ]
}
const start = Date.now(),
  limit = size === 'long' ? 170_000 : 18_000
const dir = tempdir('redact')
let n = 0
async function one(label, cls, secret, drafts, inserted, kind, sd, enc = (x) => x) {
  const own = grams(inserted)
  for (const k of [5, 9]) for (const g of grams(enc(decoyOf(secret, k)))) own.delete(g)
  const d = path.join(dir, String(++n))
  let store
  if (kind === 'memory') store = memoryStore()
  else {
    fs.mkdirSync(d)
    store =
      kind === 'sqlite'
        ? sqliteStore({ file: path.join(d, 's.db') })
        : jsonLinesStore({ directory: path.join(d, 'j') })
  }
  try {
    await store.append('s', [msg('user', 'Please look at the parser and never push.', 'human')])
    await store.append('s', drafts)
    await store.append('s', [
      msg('assistant', 'I will look at it now.', 'model', { finish: 'stop' }),
      msg('user', 'Use npm for everything here.', 'human'),
    ])
    const s = await openSession({ store, id: 's', window: { context: 100_000 } })
    const before = await store.read('s')

    let report
    try {
      report = await s.redact({ text: secret })
    } catch (e) {
      if (e?.code === 'REDACTION') {
        F.count('refused')
        return
      }
      throw e
    }
    F.count(`redactions ${cls}`)
    const after = await store.read('s')
    const named = new Set([
      ...report.near.map((x) => Number(String(x.ref).split('.')[0])),
      ...report.unread.map((x) => Number(String(x).split('.')[0])),
    ])
    const isNamed = (seq) => named.has(seq)
    // every text that holds (in any place) a large part of what was inserted

    for (const e of after) {
      if (e.kind === 'observation' && e.observation.type === 'redaction') continue
      const was = before[e.seq - 1]
      const t = leaves(e).join('\u0000')
      const orig = leaves(was).join('\u0000')
      const plainLeft = t.includes(secret)
      const now = grams(t),
        was2 = grams(orig)
      let mine = 0,
        left = 0
      for (const g of own) {
        if (was2.has(g)) {
          mine++
          if (now.has(g)) left++
        }
      }
      if (plainLeft)
        F.broken(
          'plain secret stays',
          sd,
          `${label} entry ${e.seq} named=${isNamed(e.seq)} report=${JSON.stringify(report).slice(0, 200)}`,
        )
      else if (mine >= 4 && left >= 3 && left / own.size > 0.1) {
        const what = `${label} entry ${e.seq}: ${left} of ${own.size} pieces stay; seqs=${JSON.stringify(report.seqs)} near=${JSON.stringify(report.near.map((x) => x.ref + ' ' + x.why))}`
        if (!isNamed(e.seq))
          F.broken(
            cls === 'D'
              ? 'D stays, entry not named'
              : cls === 'N'
                ? 'N stays, entry not named'
                : 'U stays, entry not named',
            sd,
            what,
          )
        else {
          F.count(`named ${cls}`)
          if (cls === 'D') F.broken('D only named, not removed', sd, what)
        }
      }
    }
    // What has nothing to do with the secret stays as it was.
    for (const e of [before[0], ...before.slice(-2)])
      if (JSON.stringify(after[e.seq - 1]) !== JSON.stringify(e))
        F.broken(
          'an entry without the secret was destroyed',
          sd,
          `${label} entry ${e.seq}: ${JSON.stringify(e.message.content)} -> ${JSON.stringify(after[e.seq - 1]?.message?.content)}; seqs=${JSON.stringify(report.seqs)}`,
        )
    // Second look: a redaction again finds nothing to change.
    const again = await (
      await openSession({ store, id: 's', window: { context: 100_000 } })
    ).redact({ text: secret })
    if (again.seqs.length)
      F.broken(
        'a second redaction still finds something',
        sd,
        `${label} ${JSON.stringify(again.seqs)}`,
      )
    const printed = []
    for await (const line of exportSession(store, 's')) printed.push(line)
    printed.push(JSON.stringify(s.messages()))
    printed.push(JSON.stringify((await s.history()).map((x) => x.message)))
    const gone = !after.some((e) => leaves(e).join('\0').includes(inserted))
    const all = printed.join('\n')
    if (
      gone &&
      inserted.length >= 8 &&
      (all.includes(inserted) || all.includes(JSON.stringify(inserted).slice(1, -1)))
    )
      F.broken('export or context still prints it', sd, label)
    if (kind !== 'memory') {
      if (gone && inserted.length >= 8) {
        const w = filesWith(d, [
          B(inserted),
          B(JSON.stringify(inserted).slice(1, -1)),
          B(JSON.stringify(JSON.stringify(inserted)).slice(3, -3)),
        ])
        if (w.length)
          F.broken('bytes of it stay in the files of the store', sd, `${label} ${kind} ${w}`)
        F.count('raw searches')
      }
      const w2 = filesWith(d, [B(secret)])
      if (w2.length && !named.size)
        F.broken('plain bytes stay in the files', sd, `${label} ${kind} ${w2}`)
    }
  } finally {
    store.close?.()
    if (kind !== 'memory') fs.rmSync(d, { recursive: true, force: true })
  }
}
const only = flags.get('form'),
  onlySecret = flags.get('secret'),
  onlyPlace = flags.get('place')
let round = 0
F.count('forms', forms.length)
F.count('places', Object.keys(places).length + Object.keys(spreads).length)
outer: for (round = 0; ; round++) {
  const r = rng(seed * 1000 + round)
  const list = secrets(r)
  for (const [sn, secret] of list) {
    if (onlySecret && sn !== onlySecret) continue
    for (const [name, cls, enc] of forms) {
      if (only && name !== only) continue
      if (Date.now() - start > limit) break outer
      const t = enc(secret, r)
      const pn =
        onlyPlace ??
        (round === 0
          ? r.pick(['user', 'result', 'input', 'assistant'])
          : r.pick(Object.keys(places)))
      const kind = r.pick(['memory', 'memory', 'memory', 'sqlite', 'jsonl'])
      await one(
        `${sn}/${name}/${pn}`,
        isTooLittle(name, sn, secret) ? 'U' : cls,
        secret,
        places[pn](t),
        t,
        kind,
        `${seed}:${round}`,
        (x) => enc(x, rng(7)),
      )
    }
    for (const [name, make] of Object.entries(places)) {
      if (only) break
      await one(
        `${sn}/plain/${name}`,
        'D',
        secret,
        make(secret),
        secret,
        r.pick(['memory', 'sqlite', 'jsonl']),
        `${seed}:${round}`,
      )
    }
    for (const [name, make] of Object.entries(spreads)) {
      if (only) break
      const [a, b] = [secret.slice(0, half(secret)), secret.slice(half(secret))]
      await one(
        `${sn}/spread ${name}/first`,
        'N',
        secret,
        make(secret),
        a,
        'memory',
        `${seed}:${round}`,
        (x) => x.slice(0, half(x)),
      )
      await one(
        `${sn}/spread ${name}/second`,
        'N',
        secret,
        make(secret),
        b,
        'memory',
        `${seed}:${round}`,
        (x) => x.slice(half(x)),
      )
    }
  }
  if (size === 'quick' && round >= 0 && only) break
}
fs.rmSync(dir, { recursive: true, force: true })
F.end({ rounds: round, seconds: Math.round((Date.now() - start) / 1000) })
