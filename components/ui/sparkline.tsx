/** A line of the last values. It is hidden from screen readers, so a text next to it must say the same. */
export function Sparkline({
  values,
  most,
  className,
}: {
  values: readonly number[];
  most?: number | undefined;
  className?: string;
}) {
  const top = Math.max(most ?? 0, ...values, Number.MIN_VALUE);
  const points = values.map((value, at) => {
    const x = values.length < 2 ? WIDTH : (at / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      className={className ?? 'text-accent'}
      data-sparkline=""
    >
      {values.length < 2 ? (
        <path d={`M0 ${HEIGHT - 1}H${WIDTH}`} stroke="currentColor" strokeDasharray="2 3" fill="none" />
      ) : (
        <polyline points={points.join(' ')} stroke="currentColor" strokeWidth="1.25" fill="none" />
      )}
    </svg>
  );
}

const WIDTH = 64;
const HEIGHT = 18;
