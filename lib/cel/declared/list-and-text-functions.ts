/** The functions of lists, texts, sets and optional values, a line each: name, overload, types (`target.[arguments] result`). */
export const LIST_AND_TEXT_FUNCTIONS = `
@sortByAssociatedKeys list_int_sortByAssociatedKeys list(T).[list(int)] list(T)
@sortByAssociatedKeys list_uint_sortByAssociatedKeys list(T).[list(uint)] list(T)
@sortByAssociatedKeys list_double_sortByAssociatedKeys list(T).[list(double)] list(T)
@sortByAssociatedKeys list_bool_sortByAssociatedKeys list(T).[list(bool)] list(T)
@sortByAssociatedKeys list_google.protobuf.Duration_sortByAssociatedKeys list(T).[list(duration)] list(T)
@sortByAssociatedKeys list_google.protobuf.Timestamp_sortByAssociatedKeys list(T).[list(timestamp)] list(T)
@sortByAssociatedKeys list_string_sortByAssociatedKeys list(T).[list(string)] list(T)
@sortByAssociatedKeys list_bytes_sortByAssociatedKeys list(T).[list(bytes)] list(T)
cel.@mapInsert @mapInsert_map_key_value [map(K, V), K, V] map(K, V)
cel.@mapInsert @mapInsert_map_map [map(K, V), map(K, V)] map(K, V)
charAt string_char_at_int string.[int] string
distinct list_distinct list(T).[] list(T)
find string_find_string string.[string] string
findAll string_find_all_string string.[string] list(string)
findAll string_find_all_string_int string.[string, int] list(string)
first list_first list(V).[] optional_type(V)
flatten list_flatten list(list(T)).[] list(T)
flatten list_flatten_int list(dyn).[int] list(dyn)
format string_format string.[list(dyn)] string
hasValue optional_hasValue optional_type(V).[] bool
indexOf list_a_index_of_int list(A).[A] int
indexOf string_index_of_string string.[string] int
indexOf string_index_of_string_int string.[string, int] int
isSorted list_int_is_sorted_bool list(int).[] bool
isSorted list_uint_is_sorted_bool list(uint).[] bool
isSorted list_double_is_sorted_bool list(double).[] bool
isSorted list_bool_is_sorted_bool list(bool).[] bool
isSorted list_duration_is_sorted_bool list(duration).[] bool
isSorted list_timestamp_is_sorted_bool list(timestamp).[] bool
isSorted list_string_is_sorted_bool list(string).[] bool
isSorted list_bytes_is_sorted_bool list(bytes).[] bool
join list_join list(string).[] string
join list_join_string list(string).[string] string
last list_last list(V).[] optional_type(V)
lastIndexOf list_a_last_index_of_int list(A).[A] int
lastIndexOf string_last_index_of_string string.[string] int
lastIndexOf string_last_index_of_string_int string.[string, int] int
lists.range lists_range [int] list(int)
lowerAscii string_lower_ascii string.[] string
max list_int_max_int list(int).[] int
max list_uint_max_uint list(uint).[] uint
max list_double_max_double list(double).[] double
max list_bool_max_bool list(bool).[] bool
max list_duration_max_duration list(duration).[] duration
max list_timestamp_max_timestamp list(timestamp).[] timestamp
max list_string_max_string list(string).[] string
max list_bytes_max_bytes list(bytes).[] bytes
min list_int_min_int list(int).[] int
min list_uint_min_uint list(uint).[] uint
min list_double_min_double list(double).[] double
min list_bool_min_bool list(bool).[] bool
min list_duration_min_duration list(duration).[] duration
min list_timestamp_min_timestamp list(timestamp).[] timestamp
min list_string_min_string list(string).[] string
min list_bytes_min_bytes list(bytes).[] bytes
optional.none optional_none [] optional_type(V)
optional.of optional_of [V] optional_type(V)
optional.ofNonZeroValue optional_ofNonZeroValue [V] optional_type(V)
optional.unwrap optional_unwrap [list(optional_type(V))] list(V)
or optional_or_optional optional_type(V).[optional_type(V)] optional_type(V)
orValue optional_orValue_value optional_type(V).[V] V
replace string_replace_string_string string.[string, string] string
replace string_replace_string_string_int string.[string, string, int] string
reverse list_reverse list(T).[] list(T)
sets.contains list_sets_contains_list [list(T), list(T)] bool
sets.equivalent list_sets_equivalent_list [list(T), list(T)] bool
sets.intersects list_sets_intersects_list [list(T), list(T)] bool
slice list_slice list(T).[int, int] list(T)
sort list_int_sort list(int).[] list(int)
sort list_uint_sort list(uint).[] list(uint)
sort list_double_sort list(double).[] list(double)
sort list_bool_sort list(bool).[] list(bool)
sort list_google.protobuf.Duration_sort list(duration).[] list(duration)
sort list_google.protobuf.Timestamp_sort list(timestamp).[] list(timestamp)
sort list_string_sort list(string).[] list(string)
sort list_bytes_sort list(bytes).[] list(bytes)
split string_split_string string.[string] list(string)
split string_split_string_int string.[string, int] list(string)
strings.quote strings_quote [string] string
substring string_substring_int string.[int] string
substring string_substring_int_int string.[int, int] string
sum list_int_sum_int list(int).[] int
sum list_uint_sum_uint list(uint).[] uint
sum list_double_sum_double list(double).[] double
sum list_duration_sum_duration list(duration).[] duration
trim string_trim string.[] string
unwrapOpt optional_unwrapOpt list(optional_type(V)).[] list(V)
upperAscii string_upper_ascii string.[] string
value optional_value optional_type(V).[] V
`;
