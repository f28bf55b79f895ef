import { sentencesOf } from './human/sentences.ts'
import type { FactsState } from './fold-memory.ts'
import type { Seq } from '../log/entry.ts'
import { hasForeignLetters } from './human/foreign-letters.ts'

/** From a closing text, its first paragraphs; from a text along the way, single sentences. */
const LONGEST_CONCLUSION = 700
const LONGEST_FINDING = 320
const SHORTEST_FINDING = 24
const MOST_FINDINGS = 2
const JUST_SAID = 8
/** Texts that harnesses attribute to the assistant. */
const SAYS_NOTHING =
  /^(?:No response requested\.?|\(no content\)|Done\.?|API Error.*|\[Request interrupted.*)$/

/**
 * Notes the assistant's conclusions. A text without calls ends its turn and counts as a conclusion
 * unless the turn continues after all. In texts before calls, only sentences that state a finding,
 * a decision or a result count.
 */
export function noteConclusions(facts: FactsState, text: string, seq: Seq, ends: boolean): void {
  const findings = findingsIn(text)
  if (ends) {
    const closing = firstParagraphs(text)
    if (closing === '' || SAYS_NOTHING.test(closing)) return
    facts.conclusions.push({ text: closing, seq, final: true })
    facts.memory.provisional = findings
    return
  }
  for (const finding of findings) addFinding(facts, finding, seq)
}

/** The turn continued: its newest text didn't close it, so only its findings stay. */
export function continueTurn(facts: FactsState): void {
  const findings = facts.memory.provisional
  if (findings === undefined) return
  facts.memory.provisional = undefined
  const closing = facts.conclusions.pop()
  if (closing === undefined) return
  for (const text of findings) addFinding(facts, text, closing.seq)
}

/** Something that was just said is not repeated. */
function addFinding(facts: FactsState, text: string, seq: Seq): void {
  if (facts.conclusions.slice(-JUST_SAID).every((said) => said.text !== text)) {
    facts.conclusions.push({ text, seq })
  }
}

/** The human answered, so the text that closed the turn stays. */
export function endTurn(facts: FactsState): void {
  facts.memory.provisional = undefined
}

function findingsIn(text: string): string[] {
  const found: string[] = []
  for (const sentence of sentencesOf(text)) {
    if (found.length >= MOST_FINDINGS) break
    const { length } = sentence.text
    if (sentence.question || length < SHORTEST_FINDING || length > LONGEST_FINDING) continue
    if (statesFinding(sentence.text)) found.push(sentence.text)
  }
  return found
}

/** Whole paragraphs from the start, without code and tables, as many as are short enough. */
function firstParagraphs(text: string): string {
  const kept: string[] = []
  let size = 0
  let fenced = false
  for (const line of text.slice(0, 8 * LONGEST_CONCLUSION).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    else if (!fenced && !/^\s*\|/.test(line)) {
      if (size > 0 && size + line.length > LONGEST_CONCLUSION) break
      if (line.trim() === '' && kept.at(-1) === '') continue
      kept.push(
        line.length > LONGEST_CONCLUSION
          ? `${line.slice(0, LONGEST_CONCLUSION - 1)}…`
          : line.trimEnd(),
      )
      size += line.length + 1
    }
  }
  return kept.join('\n').trim()
}

/** Signs of an English sentence that states a finding, a decision or a result. */
const ENGLISH: readonly RegExp[] = [
  /^(?:\W*(?:so|ok|okay|now|and|good|great|perfect|yes|no|ah|right)[,!: —-]+)*(?:found|fixed|confirmed|verified|turns out|decided|done|implemented)\b/i,
  /\b(?:root cause|turns out|the (?:bug|issue|problem|cause|culprit|reason|fix|failure|regression|gap|catch) (?:is|was|lies|comes)|the (?:real|actual|remaining|only) (?:bug|issue|problem|cause|gap|failure)|was caused by|is caused by|because of)\b/i,
  /\b(?:all (?:\d+ )?(?:the )?(?:unit |integration )?tests? (?:now )?pass|tests? (?:are |is )?(?:now )?(?:pass(?:ing|es)?|green)|builds? (?:cleanly|passes|succeeds|is clean|is green)|still fail(?:s|ing)?|no longer fail)/i,
  /\bI(?:'ve| have|’ve| already)? (?:found|fixed|confirmed|verified|decided|discovered|reproduced|ruled out|added|removed|renamed|moved|reverted|committed|pushed|implemented|replaced)\b/,
  /\b(?:this (?:means|confirms|explains|shows)|that (?:means|explains|confirms)|which (?:means|explains)|the decision|I(?:'ll| will|’ll) (?:use|keep|go with) .{3,80}(?:because|since|instead|so that))\b/i,
  /\b(?:does not|doesn't|cannot|can't|isn't|is not|never) (?:exist|work|support|handle|compile|match|expose)\b/i,
]

/** What the assistant is about to do is not a finding. */
const ANNOUNCEMENT =
  /^(?:(?:now|next|first|then|good|ok(?:ay)?|great|perfect)[,!. —-]+)*(?:I['’]m |I am |next\b|let me\b|let['’]s\b|I['’]ll (?:now |also )?(?:check|look|run|add|update|fix|read|start|do|create|write|inspect|verify|search)|I need to\b|I should\b|I want to\b|that means (?:adding|I))/i

/** The same for Vietnamese, Chinese, Japanese, Korean, Russian, Spanish and German. */
const OTHERS: readonly RegExp[] = [
  /(?<!\p{L})(?:nguyên nhân|lỗi (?:là|do|nằm)|đã (?:sửa|tìm thấy|xong|xác nhận|thêm|xóa|xoá|hoàn thành)|hóa ra|kết luận|quyết định)(?!\p{L})/iu,
  /原因是|问题(?:是|在于|出在)|已(?:修复|完成|确认|添加|删除)|找到了|决定|结论|测试(?:全部)?通过/,
  /原因は|問題は|判明|修正しました|完了しました|確認しました|決定|テスト.{0,10}(?:通|成功)/,
  /원인은|문제는|수정했|완료했|확인했|결정|테스트.{0,10}통과/,
  /(?<!\p{L})(?:причина|проблема (?:в|была)|исправил|нашёл|нашел|готово|подтвердил|решил|оказалось|тесты про(?:ходят|шли))/iu,
  /(?<!\p{L})(?:la causa|el problema (?:es|era|está)|encontré|he (?:encontrado|corregido|añadido)|corregido|resulta que|decidí|las pruebas pasan)(?!\p{L})/iu,
  /(?<!\p{L})(?:die ursache|das problem (?:ist|war|liegt)|gefunden|behoben|bestätigt|es stellt sich heraus|entschieden|tests? laufen)(?!\p{L})/iu,
]

/** Whether a sentence of the assistant states what it found, decided or finished. */
function statesFinding(sentence: string): boolean {
  if (ANNOUNCEMENT.test(sentence)) return false
  if (ENGLISH.some((cue) => cue.test(sentence))) return true
  return hasForeignLetters(sentence) && OTHERS.some((cue) => cue.test(sentence))
}
