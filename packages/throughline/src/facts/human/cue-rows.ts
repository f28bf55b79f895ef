/** How a language states a standing rule. Tested on single sentences in lower case. */
export interface RuleCues {
  language: string
  /** The language can be written in English letters alone. */
  ascii: boolean
  /** Signs that count wherever they occur. */
  clear: readonly RegExp[]
  /** Signs that count in a short message; in a long one, they are part of a document. */
  weak: readonly RegExp[]
  /** Texts that look like one of the signs but aren't. */
  not: readonly RegExp[]
  /** Marks a rule that forbids; any other rule demands. */
  forbids: RegExp
}

/** Where an English command can begin: at the start, after punctuation, after these words. */
const START = String.raw`(?:^|[,;:–—(]\s*|\b(?:and|but|also|please|pls|then|so|just|ok|okay|now|btw|again)\s+)`
const TO_YOU = String.raw`(?:${START}|\b(?:you|should|must|to|we|i want you to)\s+)`
const start = (words: string): RegExp => new RegExp(START + words)
const toYou = (words: string): RegExp => new RegExp(TO_YOU + words)

const ENGLISH: RuleCues = {
  language: 'en',
  ascii: true,
  clear: [
    start(
      String.raw`(?:do not|don't|dont|don’t|must not|mustn't|never ever) (?!know|think|worry|like|care|mind|bother|see|understand|get |remember|have |believe|recall|we |you |i |they |forget|quote)[a-z]+ \S`,
    ),
    /\bi(?:'d| would)? always (?:want|like|prefer|need)|\bi (?:do not|don't|dont|don’t|never) want (?:you|any|anything|it|the|an?|to|ot|this|that|agents?|claude|codex)\b|\bi (?:do not|don't|dont|don’t) like (?:when|how you|you to|it when)\b/,
    /\bfrom now on\b|\bgoing forward\b|\bfrom here on\b|\bin (?:the )?future,|\bin (?:the )?future (?!sessions?|versions?|releases?|runs?|we|it|this)|\bhenceforth\b|\bat all times\b|\bfor the rest of (?:this|the|our)\b/,
    /^we (?:don['’]?t|do not|never) (?!know|think|have|need|see|want|get)\w|^when(?:ever)? [^,]{3,80}, .*\b(?:every|each|always|only)\b|^whatever you do\b|\bi forbid\b|\bdon['’]?t bother me\b|\byou may only\b|\bneeds? my (?:ok|okay|approval|permission|consent|review)\b|\bmust (?:not|never|always|only)\b|\bshould (?:never|always|only)\b|\bunder no circumstances\b/,
    start(
      String.raw`only (?:ever )?(?:use|touch|edit|change|modify|run|commit|write|read|do|add|work|test|answer|reply|respond|speak|create|update|fix|push|import|support|allow|stage|deploy)\b`,
    ),
    /\buse only\b|\bi(?:'d| would)? only want\b/,
    /\b(?:reply|respond|answer|write|speak|talk|communicate|comment|explain|summari[sz]e)\b[^.]{0,30} in (?:english|vietnamese|chinese|japanese|korean|russian|spanish|german|french|italian|portuguese|polish|dutch|turkish|arabic|hindi|thai|indonesian|ukrainian|czech|swedish)\b/,
    /\b(?:off[- ]limits|not allowed|forbidden|prohibited|hands off|read[- ]only for you)\b/,
    start(String.raw`remember(?::|,| (?:that|to|this|we|i)\b)`),
    /^(?:rule|rules|important|note to self|constraint|convention|policy|reminder)\s*(?:\d+\s*)?[:–—-]\s*\S/,
    /(?:^|[,;:–—(]\s*|\b(?:and|but|also|however|that|so) )you (?:cannot|can['’]?t|can not|may not|must|are not to|have to always)\b|\byour [a-z ]{2,40} (?:must|should)\b|\brequirement(?:s are| is| for all)\b/,
    /^(?:and |but |also |so )*only (?:the |those |these )?\S.{1,60} (?:should|must|may|can)\b/,
    /\b(?:before|after) (?:you )?(?:every|each|any) (?:commit|push|change|edit|merge|step|task|release|deploy)|\b(?:every|each) time you\b|\bwhenever you\b|\brun\b.{1,60}\bbefore (?:you )?(?:commit|push|merg|finish)/,
  ],
  weak: [
    /^\W*(?:when(?:ever)?|before|while) (?:you )?\w+ing (?!this\b|that\b|it\b|the\b)[^,]{2,80}, (?!i\b|it\b|we\b|the\b|they\b)/,
    toYou(String.raw`(?:make sure|(?<!to )be sure|ensure|be careful)\b`),
    start(
      String.raw`(?:let's |we )?(?:use|stick (?:to|with)) (?!cases?\b|it\b|this\b|that\b|the (?:same|above|following|new|existing)\b)\S.{0,80}(?: not | instead|rather than| over | never |, no | for (?:all|every|everything) | as (?:the|an?) )`,
    ),
    /^(?:please |pls |ok,? |and |also )*(?:use|stick to|stick with) (?!cases?\b|it\b|this\b|that\b|the attached\b)\S+(?: \S+){0,4}[.!]?$/,
    start(String.raw`(?:prefer|avoid)\b`),
    /\bi(?:'d| would)? prefer\b|\bwe (?:always |only )?prefer\b|\bi (?:hate|dislike)\b/,
    start(String.raw`(?:stop|no more) \w+ing\b`),
    /^(?:when(?:ever)?|if) you \w+ [^,]{1,60}, (?!i\b|it\b|we\b|the\b|they\b|you\b)|^(?:if|when(?:ever)?) [^,]{3,80}, (?:tell me|ask|stop|do not|don['’]?t|never|always)\b/,
    /^(?:please |and |also )*keep (?!going|working|it up|at it|on\b|up\b|that in\b|in mind)\S/,
    /\b(?:do|make|use) (?:\w+ )?(?:meaningful|small|individual|atomic|separate|conventional|frequent) commits\b/,
    /^(?:and |but |also |please )*(?:all|every|everything|nothing)\b.{0,60}\b(?:should|must|needs? to|has to|have to)\b|\bshould (?:not|live|stay|never)\b|(?<!^|\b(?:i|he|she|they) )must be\b|\bmust (?:use|live|stay)\b/,
    start(String.raw`leave \S.{0,60} (?:alone|untouched|as[- ](?:is|it is|they are))\b`),
  ],
  not: [
    /\b(?:it|this|that|which|he|she|they|there|code|test|tests|log|logs) (?:never|always|only|don't|doesn't)\b/,
    /^(?:please |and |but |so |wait,? |no,? )*don['’]?t (?:do )?(?:that|this|it)(?:[.!]?$|,)/,
    /^(?:maybe|perhaps|i wonder|i guess|as an? \w+,? i)\b|\b(?:idk|thinking out loud|for now|when (?:i|we) (?:was|were))\b/,
    /^(?:please |now |then )*(?:write|add|implement|create|build|make) (?:an?|the) .{1,80}\b(?:that|which|button|page|option)\b/,
  ],
  forbids:
    /\b(?:never|not|don['’]?t|no|avoid|stop|without|forbidden|prohibited|off[- ]limits|only|mustn't|hate|alone|untouched)\b/,
}

const VIETNAMESE: RuleCues = {
  language: 'vi',
  ascii: false,
  clear: [
    /(?<!\p{L})(?:đừng|chớ|cấm|tuyệt đối|không bao giờ|chẳng bao giờ|luôn luôn|lúc nào cũng|từ giờ|từ nay|từ bây giờ|kể từ (?:giờ|nay|bây giờ)|bắt buộc|nhất định phải|nhất thiết)(?!\p{L})/u,
    /(?<!\p{L})không được (?!rồi|đâu|à|nữa|vậy|thế|luôn|tốt|hay|ổn|chạy được|gì)\p{L}+/u,
    /(?<!\p{L})luôn (?:dùng|sử dụng|chạy|trả lời|viết|kiểm tra|giữ|phải|hỏi|test|commit|build|để|đảm bảo|tuân|làm theo|ghi|nhớ|format|lint|tạo|đọc|báo|cập nhật|thêm|nói|đặt)(?!\p{L})/u,
    /(?<!\p{L})(?:trả lời|viết|nói|giải thích|phản hồi|trao đổi|giao tiếp|báo cáo|comment|ghi chú)(?!\p{L}).{0,30} bằng tiếng \p{L}+/u,
    /(?<!\p{L})không (?:commit|push|merge|deploy|sửa|đụng|chạm|động|xóa|xoá|dùng|sử dụng|thêm|đổi|thay đổi|tạo|cài|tự ý|được phép)(?!\p{L}) ?(?:vào|đến|tới|lên|thư mục|file|tệp|code|\p{L})/u,
    /(?<!\p{L})chỉ (?:được|dùng|sử dụng|sửa|trả lời|làm|commit|viết|thay đổi|đọc|push|cần sửa)(?!\p{L})/u,
    /(?<!\p{L})trước khi (?:commit|push|merge|deploy|sửa|xóa|xoá|làm).{0,60}(?:phải|hãy|hỏi|chạy|nhớ)/u,
    /(?<!\p{L})(?:mỗi lần|mỗi khi|hỏi (?:tôi|mình|anh|em) trước|khi chưa (?:hỏi|được))(?!\p{L})/u,
  ],
  weak: [
    /^(?:nhưng |và |ok |rồi |với lại )?(?:hãy|nhớ|phải|ưu tiên|tránh|đảm bảo|lưu ý|ghi nhớ|chú ý|nên|dùng|sử dụng|giữ)(?!\p{L}) \S/u,
    /(?<!\p{L})(?:thay vì|thay cho|chứ không|chứ đừng|không cần)(?!\p{L}).{2,}/u,
  ],
  not: [/(?<!\p{L})(?:sao|tại sao|có phải|hay không|được không|chưa|không nhỉ|không vậy)[.!]?$/u],
  forbids: /(?<!\p{L})(?:đừng|chớ|cấm|không|chẳng|tránh|chỉ)(?!\p{L})/u,
}

const CHINESE: RuleCues = {
  language: 'zh',
  ascii: false,
  clear: [
    /一律|不要(?!紧)|别(?!人|的|处|名|扭|墅|说)|永远不|绝不|绝对不|千万|不得(?!不)|不许|不准|禁止|严禁|切勿|请勿/,
    /务必|必须|一定要|始终(?!无)|总是(?:要|用|先|使用)|每次.{0,12}(?:都要|必须|先|要)|从现在(?:开始|起)|从今以后|以后(?:都|请|不|别|要|用|所有)|今后/,
    /只(?:能|准|允许|使用|可以|要用|改|用)|仅(?:限|使用|用|修改)/,
    /用(?:中文|英文|英语|日语|日文|韩语|越南语|汉语|简体|繁体).{0,6}(?:回答|回复|答复|交流|写|说|沟通|注释)/,
    /未经.{0,10}(?:允许|同意|许可|批准)|先(?:问|征求|告诉)我|没有我的(?:允许|同意)|记住/,
  ],
  weak: [
    /优先|尽量|避免|确保|保证(?!金)|请(?:用|使用|不|勿|记|保持)|注意|(?:使用|用).{1,30}(?:而不是|而非|代替|不用)|统一用/,
  ],
  not: [/(?:吗|呢|么)[。！!]?$|不要吗|别的|要不要/],
  forbids: /不|别|勿|禁止|严禁|避免|只|仅|未经/,
}

const JAPANESE: RuleCues = {
  language: 'ja',
  ascii: false,
  clear: [
    /ないで(?:ください|下さい|ほしい|くれ|ね|おいて)|ないで[。！!]?$|するな(?!ら|ど)|てはいけ|てはなら|ては(?:だめ|ダメ)|ちゃ(?:だめ|ダメ)|禁止/,
    /必ず|常に|絶対|決して|いつも.{0,20}(?:て|こと|する|使)|今後|これから(?:は|も)|今から(?:は)?|以降は|毎回|たびに/,
    /だけ(?:を)?(?:使|変更|修正|編集|読|触)|のみ(?:を)?(?:使|変更|可|修正|編集)|許可なく|勝手に.{0,20}な/,
    /(?:日本語|英語|中国語|韓国語|ベトナム語)で.{0,12}(?:答|回答|返|書|話|説明|お願い)|覚えて(?:おいて|ください)/,
  ],
  weak: [
    /前に.{0,12}(?:確認|聞い|相談|尋ね)|優先|避けて|ようにして|(?:ではなく|じゃなくて|の代わりに).{0,24}(?:使|して|で)|(?:使って|使用して|守って|気をつけて)(?:ください|下さい)?[。！!]?$/,
  ],
  not: [/(?:ですか|ますか|でしょうか|かな|の？)[。！!]?$/],
  forbids: /ない|な[。！!]?$|いけ|だめ|ダメ|禁止|決して|だけ|のみ|避け|許可なく/,
}

const KOREAN: RuleCues = {
  language: 'ko',
  ascii: false,
  clear: [
    /지\s?(?:마(?:세요|라|십시오|요|시오)?(?![가-힣])|말(?:아|고|것|도록|자))|금지|절대(?:로)?|하면 안\s?(?:돼|됩|된|되)/,
    /항상|언제나|반드시|꼭 |앞으로(?:는|도)? |이제부터|지금부터|매번|때마다|허락\s?없이|묻지 않고/,
    /만\s?(?:사용|쓰|써|수정|변경|편집|건드)|(?:한국어|영어|베트남어|중국어|일본어)로\s?.{0,8}(?:답|대답|작성|말|써|설명|응답)|기억해/,
  ],
  weak: [
    /전에.{0,16}(?:물어|확인|알려|허락)|(?:대신(?:에)?|말고).{0,24}(?:사용|써|쓰|해)|우선|피해\s?(?:주|줘)|(?:해야|어야|아야)\s?(?:한다|해|합니다|해요|돼)|도록\s?(?:해|하세요|하십시오)|(?:사용|유지|주의)(?:해|하세요|해줘|해주세요)[.!]?$/,
  ],
  not: [/(?:까요|나요|니까|가요|는지)[.!]?$/],
  forbids: /지\s?마|지\s?말|금지|안\s?(?:돼|됩|된|되)|절대|만\s|없이|피해|말고/,
}

export const RULE_CUES: readonly RuleCues[] = [ENGLISH, VIETNAMESE, CHINESE, JAPANESE, KOREAN]
