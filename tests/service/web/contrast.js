() => {
  const rgb = (text) => { const c = text.match(/[\d.]+/g).map(Number); return [c[0], c[1], c[2], c[3] ?? 1]; };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a)];
  const light = (c) => { const [r, g, b] = c.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => {
    if (!e) return [255, 255, 255];
    const style = getComputedStyle(e);
    if (style.backgroundImage !== "none") return null;
    const own = rgb(style.backgroundColor);
    if (own[3] === 1) return own.slice(0, 3);
    const rest = behind(e.parentElement);
    return rest && over(own, rest);
  };
  const bad = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || !e.checkVisibility() || e.closest("svg, .stage, :disabled, option")) continue;
    const ground = behind(e);
    if (!ground) continue;
    const style = getComputedStyle(e);
    const [a, b] = [light(over(rgb(style.color), ground)), light(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) bad.push([n.data.trim().slice(0, 40), ratio.toFixed(2), style.color, ground.join()]);
  }
  return bad;
}
