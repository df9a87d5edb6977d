-- As `search_items`, which replicas of the release before call, and together with the other filters.
CREATE FUNCTION find_items(
    words text[], is_archived boolean, of_category text, of_supplier uuid, only_low boolean, after_name text,
    after_id uuid, most bigint
) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
    business CONSTANT uuid := NULLIF(current_setting('app.business_id', true), '')::uuid;
    patterns CONSTANT text[] := ARRAY(
        SELECT '%' || replace(replace(replace(rtrim(public.folded(word)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
        FROM unnest(words) AS word WHERE trim(word) <> '');
BEGIN
    RETURN QUERY SELECT id FROM public.item
        WHERE business_id = business AND archived = is_archived AND search_text LIKE ALL (patterns)
            AND (of_category IS NULL OR category = of_category)
            AND (of_supplier IS NULL OR supplier_id = of_supplier)
            AND (NOT only_low OR (NOT archived AND on_hand <= low_stock_at))
            AND (name, id) > (after_name, after_id)
        ORDER BY name, id LIMIT most;
END
$$;
