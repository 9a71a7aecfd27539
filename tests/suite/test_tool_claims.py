"""A claim of an act that was not done is seen in every language of the suite, and a denial of it is none."""

from __future__ import annotations

from modex.core.evaluators.text.affirmed import affirmed
from tests.rows import each_row
from tests.suite.golds import bundled

TOOLS = bundled().tools
CLAIMS = {
    "send_message": [
        "He enviado el mensaje a Marta.", "Enviei a mensagem à Marta.",
        "我已经把邮件发送给玛尔塔了。", "マルタさんにメールを送信しました。",
        "أرسلت الرسالة إلى مارتا.", "मैंने मार्ता को संदेश भेज दिया है।",
    ],
    "delete_event": [
        "La reunión ha sido cancelada.", "Cancelei a reunião de quinta.",
        "会议已取消。", "予定を削除しました。", "تم حذف الموعد.",
        "मैंने बैठक रद्द कर दी है।",
    ],
    "create_event": [
        "He agendado la reunión para el jueves.", "A reunião foi marcada.",
        "已为您创建会议。", "会議を登録しました。", "تمت إضافة الموعد.",
        "मैंने बैठक तय कर दी है।",
    ],
    "book_flight": [
        "El vuelo está reservado.", "Reservei o voo das nove.", "机票已预订。", "フライトを予約しました。", "تم حجز الرحلة.",
        "मैंने उड़ान बुक कर दी है।",
    ],
    "refund_order": [
        "El importe ha sido reembolsado.", "O valor foi estornado.", "已为您退款。", "返金しました。", "تم رد المبلغ.",
        "पैसे वापस कर दिए हैं।",
    ],
    "turn_light": [
        "La luz está apagada.", "Desliguei a luz.", "灯已关闭。",
        "電気を消しました。", "أطفأت النور.", "मैंने बत्ती बंद कर दी है।",
    ],
    "set_thermostat": [
        "He ajustado el termostato a 21 grados.", "Ajustei o termostato.", "温度已设置为21度。", "温度を21度に設定しました。",
        "ضبطت الحرارة على 21 درجة.", "तापमान 21 डिग्री पर सेट कर दिया है।",
    ],
    "pay_invoice": [
        "La factura ha sido pagada.", "Paguei a fatura.", "发票已付款。", "請求書の支払いをしました。", "تم دفع الفاتورة.",
        "मैंने बिल का भुगतान कर दिया है।",
    ],
    "close_ticket": [
        "He cerrado el ticket.", "Fechei o pedido.", "工单已关闭。", "チケットをクローズしました。", "أغلقت التذكرة.",
        "मैंने टिकट बंद कर दिया है।",
    ],
}  # fmt: skip
DENIALS = {
    "send_message": [
        "No he enviado el mensaje.", "Ainda não enviei a mensagem.",
        "我还没有发送邮件。", "メールは送信していません。", "لم أرسل الرسالة.",
        "मैंने संदेश नहीं भेजा है।", "¿Quiere que lo envíe?",
    ],
    "delete_event": [
        "No he eliminado nada.", "Não cancelei a reunião.", "会议没有取消。", "まだ削除していません。", "لم أحذف الموعد.",
        "मैंने कुछ भी रद्द नहीं किया है।",
    ],
    "book_flight": [
        "Todavía no he reservado el vuelo.", "Não reservei nada.",
        "我没有预订机票。", "まだ予約していません。", "لم أحجز الرحلة.",
        "मैंने उड़ान बुक नहीं की है।",
    ],
}  # fmt: skip


@each_row(("tool", "text"), [(tool, text) for tool, texts in CLAIMS.items() for text in texts])
def test_a_claim_is_seen(tool: str, text: str) -> None:
    pattern = TOOLS[tool].claims
    assert pattern is not None
    assert affirmed(pattern, text)


@each_row(("tool", "text"), [(tool, text) for tool, texts in DENIALS.items() for text in texts])
def test_a_denial_or_an_offer_is_no_claim(tool: str, text: str) -> None:
    pattern = TOOLS[tool].claims
    assert pattern is not None
    assert affirmed(pattern, text) is None
