-- Begins an attempt, all counters at once. The same rules as `domain/sign_in_limit.rs`.
-- KEYS: the account's blocks, then of each counter its failures and its block.
-- ARGV: now, window, block (milliseconds), the attempt's id, then each counter's limit.
-- Answers {until, last}: the end of the block that stands, or 0 and whether this was the last.
local now, window, block, id = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local standing = 0
for i = 2, #KEYS, 2 do
  local ends = tonumber(redis.call('GET', KEYS[i + 1]) or 0)
  if ends > now then
    standing = math.max(standing, ends)
  elseif ends > 0 then
    redis.call('DEL', KEYS[i], KEYS[i + 1])
    redis.call('ZREM', KEYS[1], KEYS[i])
  end
end
if standing > 0 then
  return { standing, 0 }
end
local last = 0
for i = 2, #KEYS, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - window)
  redis.call('ZADD', KEYS[i], now, id)
  redis.call('PEXPIRE', KEYS[i], math.max(window, block))
  if redis.call('ZCARD', KEYS[i]) >= tonumber(ARGV[4 + i / 2]) then
    last = 1
    redis.call('SET', KEYS[i + 1], now + block, 'PX', block)
    -- The first counter is the account's own: its block can be lifted.
    if i == 2 then
      redis.call('ZADD', KEYS[1], now + block, KEYS[2])
      redis.call('PEXPIRE', KEYS[1], block)
    end
  end
end
return { 0, last }
