import { hasForeignLetters } from './human/foreign-letters.ts'

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
export function statesFinding(sentence: string): boolean {
  if (ANNOUNCEMENT.test(sentence)) return false
  if (ENGLISH.some((cue) => cue.test(sentence))) return true
  return hasForeignLetters(sentence) && OTHERS.some((cue) => cue.test(sentence))
}
