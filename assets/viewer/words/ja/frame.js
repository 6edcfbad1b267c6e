export const words = {
  "frame.title": "specdemo：投機的デコーディングを分解する",
  "frame.language": "言語",
  "frame.more": "ほかのページ",
  "frame.step": "ステップ",
  "frame.compare": "比較",
  "frame.lab": "ラボ",
  "frame.sandbox": "サンドボックス",
  "frame.audit": "監査",
  "frame.learn": "学ぶ",
  "frame.not_loaded": "ページを最後まで読み込めませんでした。再読み込みしてください。それでも直らない場合は、サーバーが更新された可能性があります。",
};
