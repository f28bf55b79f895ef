import { expect, it } from 'vitest'
import { findSecret } from './find-secret.ts'
import { human, logFrom } from '../../testing/generate/build.ts'
import { Inspection } from './inspection.ts'
import { redactText } from './redaction.ts'
import type { Entry } from '../entry.ts'
import { secretOf } from './secret.ts'

/** As `od` of GNU and the modules of Python print `KEY=`, the secret and the end of a line. */
const printed: readonly { form: string; secret: string; kind: 'found' | 'dense'; text: string }[] =
  [
    {
      form: 'uu, long',
      secret:
        'sk-live-abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklZQ71',
      kind: 'found',
      text: "begin 644 key\nM2T59/7-K+6QI=F4M86)C9&5F9VAI:FML;6YO<'%R<W1U=G=X>7IA8F-D969G\nM:&EJ:VQM;F]P<7)S='5V=WAY>F%B8V1E9F=H:6IK;&UN;W!Q<G-T=79W>'EZ\n186)C9&5F9VAI:FML6E$W,0H \n`\nend\n",
    },
    {
      form: 'uu-bare, long',
      secret:
        'sk-live-abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklZQ71',
      kind: 'found',
      text: "M2T59/7-K+6QI=F4M86)C9&5F9VAI:FML;6YO<'%R<W1U=G=X>7IA8F-D969G\nM:&EJ:VQM;F]P<7)S='5V=WAY>F%B8V1E9F=H:6IK;&UN;W!Q<G-T=79W>'EZ\n186)C9&5F9VAI:FML6E$W,0H \n",
    },
    {
      form: 'b58, long',
      secret:
        'sk-live-abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklZQ71',
      kind: 'dense',
      text: '7RvbNbCzWQC598WzrHAv14kjcb7Zb3gxCjVHV8hdw99QyYxdg1yV5ef4SPbaFx3br3P8VjiLYfqXgjF9ypSA2yZdqgWSy87fxLn1zpXX5t45cSKMoTT5oqintVHTXRVsPRg3KfTSecswpT1o6',
    },
    {
      form: 'uu, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'found',
      text: "begin 644 key\n@2T59/7##I'-S=\\.V<F0M9L.\\<BUG<L.VPY]E+30R(0H \n`\nend\n",
    },
    {
      form: 'uu-bare, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'found',
      text: "@2T59/7##I'-S=\\.V<F0M9L.\\<BUG<L.VPY]E+30R(0H \n",
    },
    {
      form: 'od -td1, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'found',
      text: '0000000   75   69   89   61  112  -61  -92  115  115  119  -61  -74  114  100   45  102\n0000020  -61  -68  114   45  103  114  -61  -74  -61  -97  101   45   52   50   33   10\n0000040\n',
    },
    {
      form: 'od -c, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'found',
      text: '0000000   K   E   Y   =   p 303 244   s   s   w 303 266   r   d   -   f\n0000020 303 274   r   -   g   r 303 266 303 237   e   -   4   2   !  \\n\n0000040\n',
    },
    {
      form: 'od -ta, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'found',
      text: '0000000   K   E   Y   =   p   C   $   s   s   w   C   6   r   d   -   f\n0000020   C   <   r   -   g   r   C   6   C  us   e   -   4   2   !  nl\n0000040\n',
    },
    {
      form: 'od -An -td1, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'found',
      text: '   75   69   89   61  112  -61  -92  115  115  119  -61  -74  114  100   45  102\n  -61  -68  114   45  103  114  -61  -74  -61  -97  101   45   52   50   33   10\n',
    },
    {
      form: 'od -td2, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'found',
      text: '0000000  17739  15705 -15504  29604  30579 -18749  25714  26157\n0000020 -17213  11634  29287 -18749 -24637  11621  12852   2593\n0000040\n',
    },
    {
      form: 'od -td4, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'found',
      text: '0000000  1029260619  1940177776 -1228703885  1714250866\n0000020   762494147 -1228705177   761634755   169947700\n0000040\n',
    },
    {
      form: 'b85, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'dense',
      text: 'OGQ~daKof?b9ckGa%3%L!@P1WXL7@~!=Gg>G%_Iy',
    },
    {
      form: 'a85, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'dense',
      text: '<~91;uHE5SJmF*GO1Eb$b6_n:"AB6(nu_k1Kl1bp3]~>',
    },
    {
      form: 'a85plain, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'dense',
      text: '91;uHE5SJmF*GO1Eb$b6_n:"AB6(nu_k1Kl1bp3]',
    },
    {
      form: 'b58, umlaut',
      secret: 'pässwörd-für-größe-42!',
      kind: 'dense',
      text: '29a4Lu6uRip3WS74DFERXjpCkZPwuiYPY7jSm7nZJMe',
    },
    {
      form: 'quoted-printable in JSON',
      secret: String.raw`p"abcde'\ab12 $&<x9y8>`,
      kind: 'found',
      text: String.raw`"p\"abcde'\\ab12=20$&<x9y8>"`,
    },
    {
      form: 'signed bytes of Java',
      secret: 'pässwörd-für-größe-42!',
      kind: 'found',
      text: '[112, -61, -92, 115, 115, 119, -61, -74, 114, 100, 45, 102, -61, -68, 114, 45, 103, 114, -61, -74, -61, -97, 101, 45, 52, 50, 33]',
    },
  ]

it.each(printed)('a redaction finds or names what is printed as $form', (each) => {
  const { secret, text, kind } = each
  const log = logFrom([human('Hello.'), human(`It says:\n${text}`)])
  const inspection = new Inspection(redactText(secret))
  for (const entry of log) inspection.look(entry)
  if (kind === 'dense') {
    expect(inspection.near).toEqual([{ ref: '2.0', why: 'its bytes, as digits or numbers' }])
    return
  }
  expect(inspection.seqs).toEqual([2])
  expect(findSecret(JSON.stringify(inspection.change(log[1] as Entry)), secretOf(secret))).toEqual(
    [],
  )
})

it('names, digests and ids of others are no secret in digits of another base', () => {
  const inspection = new Inspection(redactText('sk-live-51HqLyjWDarjtT1zdp7dcX9'))
  const texts = [
    'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKdnGd',
    'sha512-9jQn3cVbnB0f8LmXkzq7Pz',
    '0Lz~'.repeat(90),
  ]
  for (const entry of logFrom(texts.map((text) => human(text)))) inspection.look(entry)
  expect(inspection.near).toEqual([])
})
